# Lines of geography.jsonl from what `sprague run geography sweep|search ... --output json` prints, merged with lines that are
# there already. README.md says how to call it. Of two lines on a question the later one is kept. The graphs with all values go
# to full-graphs.g6, so they are left out here.
#
#   --arg commit HASH   the commit that the program was built from

def round6: (. * 1e6 | round) / 1e6;

def finding:
  {method, fingerprint, value_fingerprint, won_fingerprint, exceptions, sample, walks, evaluations,
   units, expansions, cpu_seconds: (.cpu_seconds | round6), peak_memory, when, version}
  | with_entries(select(.value != null));

# A line, whether read from the program or from the file.
def lines:
  if has("job") then
    .values[]
    | del(.full_graphs, .matching_exceptions, .checks[]?.source)
    | (.hits[]? |= del(.dot, .class))
    | .findings |= map(finding)
    | . + {commit: $commit, repeat: ("sprague run " + .question + " --method " + ([.findings[].method] | unique | join(",")))}
  else . end;

# Sweeps by the number of vertices, then searches by value.
def place:
  (.question | split(" ")) as $words
  | if $words[1] == "sweep" then [0, ($words[2] | tonumber)] else [1, (.hits[0].value // 0)] end;

[inputs | lines] | group_by(.question) | map(last) | sort_by(place) | .[]
