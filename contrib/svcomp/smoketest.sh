#!/usr/bin/env bash
# Checks that Wedge runs here: one program that holds, one that fails. Exit status 0 if so.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$here/wedge" --version
cat > "$work/unreach-call.prp" <<'PROPERTY'
CHECK( init(main()), LTL(G ! call(reach_error())) )
PROPERTY
cat > "$work/program.c" <<'PROGRAM'
extern unsigned int __VERIFIER_nondet_uint(void);
void reach_error(void) {}
int main(void) {
  unsigned int x = 0, n = __VERIFIER_nondet_uint();
  while (x < n)
    x++;
  if (x < n || (LIMIT && n > 7))
    reach_error();
  return 0;
}
PROGRAM
expect() {
  sed "s/LIMIT/$1/" "$work/program.c" > "$work/p.c"
  status=0
  verdict=$("$here/wedge" check --property "$work/unreach-call.prp" --data-model ILP32 \
    --timeout 60s --witness "$work/witness.yml" "$work/p.c" | tail -n 1) || status=$?
  echo "$verdict"
  [ "$verdict" = "$2" ] && [ -s "$work/witness.yml" ]
}
expect 0 "TRUE"
expect 1 "FALSE(unreach-call)"
