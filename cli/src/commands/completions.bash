
# Which words a job may go on with depends on those before them, and a list of methods goes on after a comma.
_sprague_jobs() {
    _sprague "$@"
    local current="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}"
    case "${COMP_WORDS[1]}" in
        run|submit|values|verify) ;;
        *) return ;;
    esac
    if [[ $before == --method && $current == *,* ]]; then
        COMPREPLY=($(compgen -P "${current%,*}," -W "@METHODS@" -- "${current##*,}"))
        return
    fi
    [[ $COMP_CWORD -lt 2 || $before == -* || $current == -* ]] && return
    local at job= words= reply replies=()
    for ((at = 2; at < COMP_CWORD; at++)); do
        [[ ${COMP_WORDS[at]} == -* || ${COMP_WORDS[at-1]} == -* ]] || job+="${COMP_WORDS[at]} "
    done
    case "$job" in
@CASES@
    esac
    for reply in "${COMPREPLY[@]}"; do
        [[ $reply == -* || " $words " == *" $reply "* ]] && replies+=("$reply")
    done
    COMPREPLY=("${replies[@]}")
}

if [[ "${BASH_VERSINFO[0]}" -eq 4 && "${BASH_VERSINFO[1]}" -ge 4 || "${BASH_VERSINFO[0]}" -gt 4 ]]; then
    complete -F _sprague_jobs -o nosort -o bashdefault -o default sprague
else
    complete -F _sprague_jobs -o bashdefault -o default sprague
fi
