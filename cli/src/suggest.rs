//! What somebody likely meant who typed a word that is none of those which are possible.

/// How much alike two words must be, from 0 to 1.
const ALIKE: f64 = 0.6;

/// The candidate that is most like what was typed, if one is like it: `did you mean ...?`.
pub(crate) fn did_you_mean<'a>(
    typed: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    let alike =
        |candidate: &'a str| (strsim::normalized_damerau_levenshtein(typed, candidate), candidate);
    let candidates = candidates.into_iter().map(alike);
    let (alike, candidate) = candidates.max_by(|(one, _), (other, _)| one.total_cmp(other))?;
    (alike >= ALIKE && candidate != typed).then(|| format!("did you mean `{candidate}`?"))
}

/// The words of the form of a job, such as `geography sweep VERTICES`, that name the job and no value of it.
pub(crate) fn job_name(form: &str) -> &str {
    let end = form.find(|c: char| c != ' ' && !c.is_ascii_lowercase()).unwrap_or(form.len());
    form[..end].trim_end()
}

/// As many words at the front of what was typed as the name of a job has: no job has more than two.
pub(crate) fn job_words(words: &str) -> impl Iterator<Item = &str> {
    let ends = words.match_indices(' ').map(|(at, _)| at).chain([words.len()]);
    ends.take(2).map(|end| &words[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_set_right_and_another_word_is_not() {
        let methods = ["mex", "outcome", "couples"];
        assert_eq!(did_you_mean("mx", methods).unwrap(), "did you mean `mex`?");
        assert_eq!(did_you_mean("coupels", methods).unwrap(), "did you mean `couples`?");
        assert_eq!(did_you_mean("table", methods), None);
        assert_eq!(did_you_mean("mex", []), None);
    }

    #[test]
    fn the_words_of_a_job_end_before_its_values() {
        assert_eq!(job_name("cram BOARDS"), "cram");
        assert_eq!(job_name("geography cover --value K --vertices N"), "geography cover");
        assert_eq!(job_name("geography literature [--all]"), "geography literature");
        assert_eq!(
            job_words("geography swep 9").collect::<Vec<_>>(),
            ["geography", "geography swep"]
        );
        assert_eq!(job_words("crm").collect::<Vec<_>>(), ["crm"]);
    }
}
