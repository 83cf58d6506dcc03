//! The canonical key: one set of bits for all eight images of a shape, wherever it lies.
//!
//! The key is the least word among the images, pushed into the corner of the frame, whose longer side
//! runs across the lines. Words compare by their last line first, so that which image is least does not
//! depend on the frame's width.

use crate::shape::bits::Bits;
use crate::shape::frame::Frame;

/// A connected set of two or more cells up to the eight symmetries of the square and translation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(crate) struct Shape<B>(pub(super) B);

impl<B: Bits> Shape<B> {
    /// The cells of the shape in the corner of its frame.
    #[inline]
    pub(crate) fn cells(self) -> B {
        self.0
    }

    /// The same shape in words of another size and a frame of the same width, if it fits.
    #[inline]
    pub(crate) fn resized<W: Bits>(self) -> Option<Shape<W>> {
        W::from_wide(self.0.wide()).map(Shape)
    }

    /// Whether the shape has at most three cells, so that its nimber is 1.
    #[inline]
    pub(crate) fn is_single_move(self) -> bool {
        self.0.has_at_most_three()
    }

    /// The number of cells.
    #[inline]
    pub(crate) fn size(self) -> u32 {
        self.0.count()
    }
}

impl<B: Bits> Frame<B> {
    /// The canonical shape of a connected set of cells.
    #[inline]
    pub(crate) fn canonical(&self, cells: B) -> Shape<B> {
        let fold = self.folds.iter().fold(cells, |fold, &shift| fold | fold >> shift);
        let fold = (fold.wide() as u32) & ((1 << self.width) - 1);
        let first_place = fold.trailing_zeros();
        let places = u32::BITS - fold.leading_zeros() - first_place;
        let first_line = self.line(cells.first());
        let lines = self.line(cells.last()) - first_line + 1;
        let corner = cells >> (first_line * self.width + first_place);
        match places.cmp(&lines) {
            std::cmp::Ordering::Less => Shape(self.least_image(corner, lines, places)),
            std::cmp::Ordering::Greater => {
                Shape(self.least_image(self.transposed(corner, lines), places, lines))
            }
            std::cmp::Ordering::Equal => {
                Shape(self.least_image(corner, lines, places).min(self.least_image(
                    self.transposed(corner, lines),
                    places,
                    lines,
                )))
            }
        }
    }

    /// The shape whose canonical cells, in a word of any size, these are; nothing if they are not on the grid, not connected or
    /// not canonical.
    pub(crate) fn shape_of(&self, cells: u128) -> Option<Shape<B>> {
        let cells = self.holding(cells)?;
        let connected = cells.count() > 1 && self.flood(cells.lowest(), cells) == cells;
        (connected && self.canonical(cells).0 == cells).then_some(Shape(cells))
    }

    /// The shape of two cells.
    pub(crate) fn domino(&self) -> Shape<B> {
        Shape(B::ONE | B::ONE << self.width)
    }

    /// The line of a bit.
    #[inline]
    pub(super) fn line(&self, bit: u32) -> u32 {
        u32::from(self.lines[bit as usize])
    }

    /// The least of a set in the corner, its two mirror images and its half turn.
    #[inline]
    fn least_image(&self, cells: B, lines: u32, places: u32) -> B {
        let unused = B::BITS - ((lines - 1) * self.width + places);
        let mirrored = self.mirrored(cells) >> (self.width - places);
        let turned = cells.reversed() >> unused;
        let flipped = mirrored.reversed() >> unused;
        cells.min(mirrored).min(turned).min(flipped)
    }

    /// Every line reversed in its full width.
    #[inline]
    fn mirrored(&self, cells: B) -> B {
        let mut cells = cells;
        let mut distance = self.width - 1;
        for &place in &self.places[..self.width as usize / 2] {
            let differing = (cells ^ (cells >> distance)) & place;
            cells ^= differing | differing << distance;
            distance = distance.wrapping_sub(2);
        }
        cells
    }

    /// Lines and places exchanged, for a set in the corner that has at most `width` lines.
    #[inline]
    fn transposed(&self, cells: B, lines: u32) -> B {
        let mut rest = cells;
        let mut transposed = B::EMPTY;
        for line in 0..lines {
            let places = (rest.wide() as usize) & ((1 << self.width) - 1);
            transposed |= self.upright[places] << line;
            rest = rest >> self.width;
        }
        transposed
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::shape::split::tests::connected;

    /// Line and place.
    type Pair = (i32, i32);

    /// The cells of a set as pairs of line and place.
    fn pairs(frame: &Frame<u128>, cells: u128) -> Vec<Pair> {
        let width = frame.width;
        cells.members().map(|bit| ((bit / width) as i32, (bit % width) as i32)).collect()
    }

    /// A set of pairs moved into the corner, as bits.
    fn cornered(frame: &Frame<u128>, pairs: &[Pair]) -> u128 {
        let first_line = pairs.iter().map(|pair| pair.0).min().unwrap();
        let first_place = pairs.iter().map(|pair| pair.1).min().unwrap();
        pairs.iter().fold(0, |cells, &(line, place)| {
            cells | 1 << ((line - first_line) * frame.width as i32 + place - first_place)
        })
    }

    /// The eight symmetries of the square.
    fn images(pairs: &[Pair]) -> Vec<Vec<Pair>> {
        let maps: [fn(Pair) -> Pair; 8] = [
            |(l, p)| (l, p),
            |(l, p)| (-l, p),
            |(l, p)| (l, -p),
            |(l, p)| (-l, -p),
            |(l, p)| (p, l),
            |(l, p)| (-p, l),
            |(l, p)| (p, -l),
            |(l, p)| (-p, -l),
        ];
        maps.iter().map(|map| pairs.iter().copied().map(map).collect()).collect()
    }

    /// Whether a set of pairs fits the corner of the frame as it lies.
    fn fits(frame: &Frame<u128>, pairs: &[Pair], long: usize) -> bool {
        let span = |side: fn(&Pair) -> i32| {
            pairs.iter().map(side).max().unwrap() - pairs.iter().map(side).min().unwrap() + 1
        };
        span(|pair| pair.0) <= long as i32 && span(|pair| pair.1) <= frame.width as i32
    }

    proptest! {
        #[test]
        fn every_image_has_the_same_key_and_the_key_is_an_image(
            ((short, long), cells) in connected(),
        ) {
            let frame = Frame::<u128>::new(short, long);
            let shape = frame.canonical(cells);
            let images: Vec<_> = images(&pairs(&frame, cells))
                .into_iter()
                .filter(|image| fits(&frame, image, long))
                .map(|image| cornered(&frame, &image))
                .collect();
            prop_assert!(images.contains(&shape.cells()));
            for image in images {
                prop_assert_eq!(frame.canonical(image), shape);
            }
        }

        #[test]
        fn the_narrow_word_has_the_same_key_as_the_wide(
            ((short, long), cells) in connected(),
        ) {
            prop_assume!(short * long <= 64);
            let wide = Frame::<u128>::new(short, long).canonical(cells);
            let narrow = Frame::<u64>::new(short, long).canonical(cells as u64);
            prop_assert_eq!(u128::from(narrow.cells()), wide.cells());
        }

        #[test]
        fn what_the_narrow_frame_holds_has_the_same_key_and_components_there(
            ((short, long), cells) in connected(),
        ) {
            let wide = Frame::<u128>::new(short, long);
            let shape = wide.canonical(cells);
            let Some(narrow) = wide.narrow() else { return Ok(()) };
            let Some(cells) = narrow.holding(shape.cells().wide()) else { return Ok(()) };
            for domino in narrow.dominoes(cells) {
                let shapes: Vec<Shape<u128>> = narrow
                    .components(cells & !domino)
                    .map(|component| narrow.canonical(component).resized().unwrap())
                    .collect();
                let same: Vec<Shape<u128>> = wide
                    .components(shape.cells() & !u128::from(domino))
                    .map(|component| wide.canonical(component))
                    .collect();
                prop_assert_eq!(shapes, same);
            }
        }

        #[test]
        fn the_key_is_the_same_picture_in_every_frame(
            ((short, long), cells) in connected(),
        ) {
            let frame = Frame::<u128>::new(short, long);
            prop_assume!((short + 1) * (long + 1).max(short + 1) <= 128);
            let larger = Frame::<u128>::new(short + 1, (long + 1).max(short + 1));
            let key = pairs(&frame, frame.canonical(cells).cells());
            let moved = cornered(&larger, &pairs(&frame, cells));
            prop_assert_eq!(larger.canonical(moved).cells(), cornered(&larger, &key));
        }
    }
}
