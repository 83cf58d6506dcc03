//! Where others that search the same elsewhere are about to be.
//!
//! Who searches one board in several places numbers those who do, and each keeps away from where those before it are. No message can
//! say in time where that is. But as each tells the others all that it finds, all know nearly the same, so each can see for itself what
//! the first will take, what the second will take when the first is there, and so on to its own turn. That takes the options of a few dozen couples.

use std::ops::Range;

use crate::limits::Meter;
use crate::proof_number::Engine;
use crate::proof_number::crowd::{Crowd, Place};
use crate::proof_number::expand::Child;
use crate::proof_number::search::{Search, State, decided};
use crate::shape::{Bits, Shape};
use crate::{Nimber, SolveError};

/// A way is followed to the first couple on whose shape less work was spent than two to this power: what lies below it is left sooner than it
/// could be foreseen.
const LEAST_WORK: u32 = 5;

/// Where others are taken to be, until this is dropped.
#[derive(Debug)]
pub(crate) struct Foresight<'a> {
    crowd: &'a Crowd,
    places: Vec<Place>,
}

impl Drop for Foresight<'_> {
    fn drop(&mut self) {
        self.crowd.change(&self.places, -1);
    }
}

/// A couple whose options were looked at, and where the search's list of options has them.
struct Seen<B> {
    shape: Shape<B>,
    heap: Nimber,
    options: Range<usize>,
}

impl<B: Bits> Engine<B> {
    /// Follows the ways of so many others from a root, one after the other, each of which keeps away from those before it.
    ///
    /// Looks at the options of each couple on their ways once and counts them as expansions.
    ///
    /// # Errors
    ///
    /// [`SolveError::Cancelled`] if the caller asked for it.
    pub(crate) fn foresee(
        &self,
        meter: &mut Meter<'_>,
        root: Shape<B>,
        others: u32,
    ) -> Result<Foresight<'_>, SolveError> {
        let mut foresight = Foresight { crowd: &self.crowd, places: Vec::new() };
        let mut search = Search::new(self, 0, Meter::new(meter.limits()));
        let mut seen = Vec::new();
        for _ in 0..others {
            let way = search.way(root, &mut seen)?;
            self.crowd.change(&way, 1);
            foresight.places.extend(way);
        }
        search.meter.report()?;
        meter.add(search.meter.expansions());
        Ok(foresight)
    }
}

impl<B: Bits> Search<'_, B> {
    /// The couples that a search from a root would go down to.
    fn way(&mut self, root: Shape<B>, seen: &mut Vec<Seen<B>>) -> Result<Vec<Place>, SolveError> {
        let mut way = Vec::new();
        let (mut shape, mut heap) = (root, self.possible(root).least());
        while let Some(child) = self.most_proving(shape, heap, seen)? {
            way.push(child.place);
            if child.smaller().is_some() || !self.engine.has_cost(child.shape, LEAST_WORK) {
                break;
            }
            (shape, heap) = (child.shape, child.heap);
        }
        Ok(way)
    }

    /// The option of a couple that a search would go down to, seeing where others are; nothing if the couple is decided.
    fn most_proving(
        &mut self,
        shape: Shape<B>,
        heap: Nimber,
        seen: &mut Vec<Seen<B>>,
    ) -> Result<Option<Child<B>>, SolveError> {
        let options = match seen.iter().find(|seen| seen.shape == shape && seen.heap == heap) {
            Some(seen) => seen.options.clone(),
            None => {
                let start = self.children.len();
                let possible = self.push_options(shape, heap, self.possible(shape))?;
                if decided(heap, possible).is_some() {
                    return Ok(None);
                }
                let options = start..self.children.len();
                self.children[options.clone()].iter_mut().for_each(Child::find_place);
                seen.push(Seen { shape, heap, options: options.clone() });
                options
            }
        };
        let crowd = &self.engine.crowd;
        let options = &self.children[options];
        let state = State::of(options, |child| crowd.loss(child.place, child.numbers));
        Ok(state.map(|state| options[state.most_proving]))
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::proof_number::Team;
    use crate::proof_number::numbers::{NEVER, Numbers};
    use crate::proof_number::switches::Switches;
    use crate::shape::Frame;
    use crate::{Board, Limits};

    /// An engine that works on 5x7, which is looked at every now and then, and the board.
    fn every_now_and_then(mut test: impl FnMut(&Engine<u64>, Shape<u64>, &mut Meter<'_>)) {
        let limits =
            Limits { memory: 1 << 22, cancel: &false.into(), progress: &0.into(), threads: 1 };
        let position = "5x7".parse::<Board>().unwrap().position();
        let frame = Frame::<u64>::of(&position);
        let cells = frame.cells(&position);
        let engine = Engine::new(frame.clone(), cells, Switches::default(), &limits).unwrap();
        let (board, mut meter) = (frame.canonical(cells), Meter::new(&limits));
        for _ in 0..20 {
            test(&engine, board, &mut meter);
            let stretch = engine.stretch(&mut meter, Team::new(1, 400), |search| {
                Ok(ControlFlow::Continue(search.nimber(board)?))
            });
            assert_eq!(stretch.unwrap().result, None, "it is not decided in a moment");
        }
    }

    #[test]
    fn the_first_way_is_that_of_a_search_which_is_alone() {
        let mut longest = 0;
        every_now_and_then(|engine, board, meter| {
            let foreseen = engine.foresee(meter, board, 1).unwrap().places.clone();
            // What a search does: of the options of every couple that of the least losing number.
            let mut search = Search::new(engine, 0, Meter::new(meter.limits()));
            let (mut shape, mut heap) = (board, engine.possible(board).least());
            for (ply, &place) in foreseen.iter().enumerate() {
                search.children.clear();
                search.push_options(shape, heap, engine.possible(shape)).unwrap();
                let losses = || search.children.iter().map(|child| child.numbers.loss);
                let least = losses().position(|loss| Some(loss) == losses().min()).unwrap();
                let child = search.children[least];
                assert_eq!(place, Place::of(child.shape, child.heap), "after {ply} plies");
                (shape, heap) = (child.shape, child.heap);
            }
            longest = longest.max(foreseen.len());
        });
        assert!(longest > 2, "{longest}");
    }

    #[test]
    fn each_keeps_away_from_those_before_it_until_they_are_gone() {
        let mut apart = 0;
        every_now_and_then(|engine, board, meter| {
            let before = meter.expansions();
            let [one, two, three] = [1, 2, 3].map(|others| {
                let foresight = engine.foresee(meter, board, others).unwrap();
                assert!(engine.crowd.has_others());
                foresight.places.clone()
            });
            assert!(!engine.crowd.has_others());
            assert!(meter.expansions() > before, "looking at options is work");
            // The ways come one after the other. Two are the same where all others are by far worse.
            assert!(three.starts_with(&two) && two.starts_with(&one));
            let (second, third) = (&two[one.len()..], &three[two.len()..]);
            apart += u32::from(one != second && one != third && second != third);
            // A place is free again when who was foreseen there is gone.
            let numbers = Numbers { win: 8, loss: NEVER / 8 };
            for place in three {
                assert_eq!(engine.crowd.loss(place, numbers), numbers.loss);
            }
        });
        assert!(apart > 15, "{apart} of 20 times");
    }
}
