//! How far couples are from being decided, and what a table keeps of that.

use crate::Nimber;
use crate::proof_number::facts::Possible;

/// How far a couple is from being decided: its proof numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Numbers {
    /// The work still seen to show that the player to move wins: 0 if that is shown.
    pub(crate) win: u32,
    /// The work still seen to show that the player to move loses: 0 if that is shown.
    pub(crate) loss: u32,
}

/// The number of what cannot be shown; all others are less.
pub(crate) const NEVER: u32 = (1 << 26) - 1;

impl Numbers {
    /// Numbers that stay below [`NEVER`], as those of what is not decided must.
    #[inline]
    pub(crate) fn capped(self) -> Self {
        Self { win: self.win.min(NEVER - 1), loss: self.loss.min(NEVER - 1) }
    }

    /// The numbers, or none if nothing is left to be shown.
    #[inline]
    fn if_open(self) -> Self {
        if self.are_open() { self } else { Self { win: 0, loss: 0 } }
    }

    /// Whether something is left to be shown.
    #[inline]
    pub(crate) fn are_open(self) -> bool {
        self.win != 0 && self.loss != 0
    }
}

/// The proof numbers of a couple of a shape in one word: heap 6 bits, win 26, loss 26, the logarithm of
/// the work spent on the shape 6. Both numbers are zero if there are none.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packed(pub(super) u64);

impl Packed {
    #[inline]
    fn new(heap: Nimber, numbers: Numbers, work: u32) -> Self {
        debug_assert!(
            heap.get() < 64 && numbers.win <= NEVER && numbers.loss <= NEVER && work < 64
        );
        Self(
            u64::from(heap.get())
                | u64::from(numbers.win) << 6
                | u64::from(numbers.loss) << 32
                | u64::from(work) << 58,
        )
    }

    #[inline]
    fn heap(self) -> Nimber {
        Nimber::new((self.0 & 63) as u8)
    }

    #[inline]
    fn numbers(self) -> Numbers {
        Numbers { win: (self.0 >> 6) as u32 & NEVER, loss: (self.0 >> 32) as u32 & NEVER }
    }

    /// The logarithm of the work.
    #[inline]
    pub(super) fn work(self) -> u32 {
        (self.0 >> 58) as u32
    }
}

/// What a table has on a shape.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    /// The nimbers that the shape may have.
    pub(super) possible: Possible,
    /// The numbers of the couple that was searched last.
    pub(super) numbers: Packed,
}

impl Known {
    /// The proof numbers of a couple, if the table has them.
    #[inline]
    pub(super) fn numbers(&self, heap: Nimber) -> Option<Numbers> {
        let numbers = self.numbers.numbers();
        (self.numbers.heap() == heap && numbers.are_open()).then_some(numbers)
    }

    /// What was found out on a shape, and on one of its couples, joined with what was known of the shape.
    #[inline]
    pub(super) fn joined(
        before: Option<Self>,
        possible: Possible,
        heap: Nimber,
        numbers: Numbers,
        work: u64,
    ) -> Self {
        let work = work.max(1).ilog2();
        let Some(before) = before else {
            return Self { possible, numbers: Packed::new(heap, numbers.if_open(), work) };
        };
        let work = work.max(before.numbers.work());
        let numbers = if numbers.are_open() {
            Packed::new(heap, numbers, work)
        } else {
            // What was decided says nothing of the other couples of the shape.
            Packed::new(before.numbers.heap(), before.numbers.numbers(), work)
        };
        Self { possible: before.possible.and(possible), numbers }
    }
}
