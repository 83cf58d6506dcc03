//! Runs code as compiled for what the machine has, found out at run time: no flag at build time, and
//! one binary for all machines of a cluster.
//!
//! The one place of this crate with `unsafe`: a function compiled for instructions that the machine
//! lacks must not be called, and here is where that is made sure of.
#![expect(unsafe_code, reason = "calling what was compiled for instructions of some machines only")]

/// Work that gains from vectors.
pub(crate) trait Vectorised {
    /// What it results in.
    type Output;

    /// Does it. Only what is inlined into this function gains; it must itself be
    /// `#[inline(always)]`.
    fn run(self) -> Self::Output;
}

/// Does work with the widest vectors of this machine.
#[inline]
pub(crate) fn with_vectors<W: Vectorised>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    {
        let scalars = is_x86_feature_detected!("bmi2") && is_x86_feature_detected!("popcnt");
        if scalars && is_x86_feature_detected!("avx512bw") && is_x86_feature_detected!("avx512vl") {
            // SAFETY: the machine has just been found to have these instructions.
            return unsafe { with_avx512(work) };
        }
        if scalars && is_x86_feature_detected!("avx2") {
            // SAFETY: as above.
            return unsafe { with_avx2(work) };
        }
    }
    work.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi2,popcnt")]
fn with_avx512<W: Vectorised>(work: W) -> W::Output {
    work.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi2,popcnt")]
fn with_avx2<W: Vectorised>(work: W) -> W::Output {
    work.run()
}
