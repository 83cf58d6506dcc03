//! What somebody likely meant who typed a word that is none of those which are possible.

/// How much alike two words must be, from 0 to 1.
const ALIKE: f64 = 0.6;

/// The candidate that is most like what was typed, if one is like it: `did you mean ...?`.
pub(crate) fn did_you_mean<'a>(
    typed: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    // All words that are possible are small.
    let small = typed.to_lowercase();
    let alike =
        |candidate: &'a str| (strsim::normalized_damerau_levenshtein(&small, candidate), candidate);
    let candidates = candidates.into_iter().map(alike);
    let (alike, candidate) = candidates.max_by(|(one, _), (other, _)| one.total_cmp(other))?;
    (alike >= ALIKE && candidate != typed).then(|| format!("did you mean `{candidate}`?"))
}

/// The jobs whose names begin with the one word that was typed, if there are several: `which of ...?`.
pub(crate) fn which_of(word: &str, names: &[&str]) -> Option<String> {
    let goes_on = |name: &&str| name.strip_prefix(word).is_some_and(|rest| rest.starts_with(' '));
    let names: Vec<String> =
        names.iter().copied().filter(goes_on).map(|name| format!("`{name}`")).collect();
    let (last, others) = names.split_last()?;
    (!others.is_empty()).then(|| format!("which of {} and {last}?", others.join(", ")))
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
        assert_eq!(did_you_mean("MEX", methods).unwrap(), "did you mean `mex`?");
        assert_eq!(did_you_mean("table", methods), None);
        assert_eq!(did_you_mean("mex", []), None);
    }

    #[test]
    fn a_word_that_several_jobs_begin_with_is_asked_about() {
        let names = ["cram", "cram ablation", "geography sweep", "geography cover"];
        let which = which_of("geography", &names).unwrap();
        assert_eq!(which, "which of `geography sweep` and `geography cover`?");
        assert_eq!(which_of("cram", &names), None, "only one goes on behind it");
        assert_eq!(which_of("geo", &names), None);
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
