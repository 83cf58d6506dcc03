//! The checksum of exports: FNV-1a with 64 bits (Fowler, Noll and Vo, 1991). It finds damage, not malice.

/// A checksum of all bytes given so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Checksum(u64);

impl Checksum {
    /// That of no bytes.
    pub(super) fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    /// Takes in some more.
    pub(super) fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    /// As 16 hexadecimal digits.
    pub(super) fn digits(self) -> String {
        format!("{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_one_of_the_authors_test_vectors() {
        let of = |bytes: &[u8]| {
            let mut checksum = Checksum::new();
            checksum.add(bytes);
            checksum.digits()
        };
        assert_eq!(of(b""), "cbf29ce484222325");
        assert_eq!(of(b"a"), "af63dc4c8601ec8c");
        assert_eq!(of(b"foobar"), "85944171f73967e8");
    }
}
