# Lines of cram.jsonl from what `sprague run cram ... --output json` prints, merged with lines that are there
# already. README.md says how to call it. Of two findings on a board by one method the later one is kept.
#
#   --arg commit HASH     the commit that the program was built from
#   --argjson gib N       the N of --memory NGiB
#   --rawfile known FILE  common/work/data/cram-known.tsv

def sides: split("x") | map(tonumber);

# All that was published of a board: {kind, value}.
def published($board):
  $known | split("\n")[1:] | map(split("\t") | select(.[0] == $board) | {kind: .[1], value: .[2]});

def literature:
  . as $line
  | published(.board)
  | if length == 0 then "none"
    elif any(.value != ($line[.kind] | tostring)) then "disagrees"
    elif any(.kind == "nimber") then "agrees"
    else "agrees on the outcome"
    end;

def finding:
  {method, nimber, outcome, entries, expansions, units, cpu_seconds: ((.cpu_seconds * 1e6 | round) / 1e6),
   peak_memory, memory: ($gib * 1073741824), when, version, commit: $commit}
  | del(.nimber | nulls);

# {board, findings}, whether read from the program or from a line.
def entries:
  if has("board") then {board, findings}
  else .values[] | select(.question | startswith("cram "))
    | {board: (.question | ltrimstr("cram ")), findings: (.findings | map(finding))}
  end;

# What a finding says as a nimber; nothing where it only says that the next player wins.
def worth: if .outcome == "P" then 0 else .nimber // empty end;

def standing($nimber):
  map(select([worth] == [$nimber]).method) as $methods
  | if any($methods[]; . == "certificate") then "certified"
    elif $methods | length > 1 then "confirmed"
    else "single"
    end;

def line:
  .board as $board
  | .findings as $findings
  | ($findings | map(worth) | unique) as $nimbers
  | ($findings | map(.outcome) | unique) as $outcomes
  | if ($nimbers | length) > 1 or ($outcomes | length) > 1 then error("\($board) is disputed") else . end
  | ($findings | map(.method)) as $methods
  | {board: $board, nimber: $nimbers[0], outcome: $outcomes[0], standing: ($findings | standing($nimbers[0])),
     methods: $methods, literature: null, findings: $findings,
     repeat: "sprague run cram \($board) --method \($methods | join(",")) --workers 1 --memory \(
       ($findings | map(.memory) | max) / 1073741824)GiB"}
  | .literature = literature;

def later_wins: group_by(.method) | map(max_by(.when));

[inputs | entries | select(.findings | length > 0)]
| group_by(.board | sides)
| map({board: .[0].board, findings: (map(.findings[]) | later_wins)} | line)
| .[]
