//! The flags that belong to the words of some jobs: `geography search --value 6 --vertices 12`.

use clap::Args;

/// Under which these flags stand in a help text.
const HEADING: &str = "What some jobs take";

/// What some jobs are told beside their words. Whether a job takes a flag is for its kind to say.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct DetailArgs {
    /// The value *K that is asked for
    #[arg(long, help_heading = HEADING, value_name = "K", allow_negative_numbers = true)]
    value: Option<String>,

    /// The number of vertices of the graphs
    #[arg(long, help_heading = HEADING, value_name = "N", allow_negative_numbers = true)]
    vertices: Option<String>,

    /// Only graphs in which no vertex has more neighbours
    #[arg(long, help_heading = HEADING, value_name = "D", allow_negative_numbers = true)]
    max_degree: Option<String>,

    /// Only bipartite graphs
    #[arg(long, help_heading = HEADING)]
    bipartite: bool,

    /// The seed of a search: another one makes other graphs, the same one the same
    #[arg(long, help_heading = HEADING, value_name = "S", allow_negative_numbers = true)]
    seed: Option<String>,

    /// Stop after this many graphs were evaluated [default: as many as it takes]
    #[arg(long, help_heading = HEADING, value_name = "E", allow_negative_numbers = true)]
    evaluations: Option<String>,

    /// Everything: all graphs found instead of the first, all claims of the literature instead of those
    /// that need little memory
    #[arg(long, help_heading = HEADING)]
    all: bool,
}

impl DetailArgs {
    /// The words of a job with these flags behind them, as its kind reads them. Several words may have come as one, as
    /// those that a value is shown under do in quotes: `"cram 3x14"`.
    pub(crate) fn behind(&self, words: &[String]) -> Vec<String> {
        let numbers = [
            ("--value", &self.value),
            ("--vertices", &self.vertices),
            ("--max-degree", &self.max_degree),
            ("--seed", &self.seed),
            ("--evaluations", &self.evaluations),
        ];
        let numbers = numbers.into_iter().filter_map(|(name, number)| {
            number.as_ref().map(|number| [name.to_owned(), number.clone()])
        });
        let alone = [("--bipartite", self.bipartite), ("--all", self.all)];
        let alone = alone.into_iter().filter(|(_, typed)| *typed).map(|(name, _)| name.to_owned());
        let words = words.iter().flat_map(|words| words.split_whitespace()).map(str::to_owned);
        words.chain(numbers.flatten()).chain(alone).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_make_no_difference() {
        let words = |typed: &[&str]| {
            let typed: Vec<String> = typed.iter().map(|&word| word.to_owned()).collect();
            DetailArgs { all: true, ..DetailArgs::default() }.behind(&typed)
        };
        assert_eq!(words(&["cram", "3x3"]), ["cram", "3x3", "--all"]);
        assert_eq!(words(&["cram 3x3"]), words(&["cram", "3x3"]));
        assert_eq!(words(&["", " "]), ["--all"]);
    }
}
