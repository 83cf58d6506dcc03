//! What can be turned off in the engine, each to see what it saves.

/// Parts of the engine that can be turned on and off. The answer does not depend on them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Switches {
    /// Of several cells whose only neighbour is the same, strike out all but one.
    pub star: bool,
    /// Strike out a cell all of whose neighbours have a neighbour of degree 1 of their own.
    pub bridge: bool,
    /// Take two opposite corners of a block of 2 x 2 cells, without neighbours outside, for two such neighbours of the
    /// other corners. Shows only together with `star` or `bridge`.
    pub twins: bool,
    /// Strike out two equal components of a sum.
    pub copies: bool,
    /// Bound the nimber of a shape, and that of a sum, by the nimbers that options and components may still have.
    pub reach: bool,
    /// Look at whether a shape is its own half turn, which can say that it is worth 0, or that it is not.
    pub half_turn: bool,
    /// Which of several ways options that are equally proving are ordered: 0 as the dominoes come, every other number
    /// in an order of its own. Counts of a search say something of the method only if they do so in several of them.
    pub ties: u64,
}

/// A part of the engine that can be turned on and off.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Switch {
    /// [`Switches::star`].
    Star,
    /// [`Switches::bridge`].
    Bridge,
    /// [`Switches::twins`].
    Twins,
    /// [`Switches::copies`].
    Copies,
    /// [`Switches::reach`].
    Reach,
    /// [`Switches::half_turn`].
    HalfTurn,
}

impl Switch {
    /// Every switch.
    pub const ALL: [Self; 6] =
        [Self::Star, Self::Bridge, Self::Twins, Self::Copies, Self::Reach, Self::HalfTurn];

    /// The name, in lower case with hyphens.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Star => "star",
            Self::Bridge => "bridge",
            Self::Twins => "twins",
            Self::Copies => "copies",
            Self::Reach => "reach",
            Self::HalfTurn => "half-turn",
        }
    }
}

impl Default for Switches {
    /// Everything that pays.
    fn default() -> Self {
        Self {
            star: true,
            bridge: true,
            twins: true,
            copies: true,
            reach: true,
            half_turn: false,
            ties: 0,
        }
    }
}

impl Switches {
    /// Everything turned off.
    pub const NONE: Self = Self {
        star: false,
        bridge: false,
        twins: false,
        copies: false,
        reach: false,
        half_turn: false,
        ties: 0,
    };

    /// The same without any striking out of cells: shapes are searched as they are.
    #[must_use]
    pub fn without_reductions(self) -> Self {
        Self { star: false, bridge: false, twins: false, ..self }
    }

    /// The same with one switch turned the other way.
    #[must_use]
    pub fn turned(mut self, switch: Switch) -> Self {
        let part = match switch {
            Switch::Star => &mut self.star,
            Switch::Bridge => &mut self.bridge,
            Switch::Twins => &mut self.twins,
            Switch::Copies => &mut self.copies,
            Switch::Reach => &mut self.reach,
            Switch::HalfTurn => &mut self.half_turn,
        };
        *part = !*part;
        self
    }

    /// Whether cells may be struck out.
    #[inline]
    pub(super) fn reduce(self) -> bool {
        self.star || self.bridge
    }
}
