#!/usr/bin/env bash
# Builds the archive for HWMCC: the program and a script per track, to be called as
#   run-bits MODEL.aig WITNESS CERTIFICATE      run-words MODEL.btor2 WITNESS
#   contrib/hwmcc/archive.sh [--binary PATH] wedge-hwmcc.tar.gz
source "$(dirname "${BASH_SOURCE[0]}")/../binary.sh"
folder=$work/wedge-hwmcc
mkdir "$folder"
install -m 755 "$binary" "$folder/wedge"
# Without the symbols for debuggers it has a quarter of the size.
strip "$folder/wedge" 2> /dev/null || true
cp "$root/LICENSE-MIT" "$root/LICENSE-APACHE" "$folder/"
for track in bits words; do
  cat > "$folder/run-$track" <<'SCRIPT'
#!/usr/bin/env bash
# Prints sat, unsat or unknown.
exec "$(dirname "${BASH_SOURCE[0]}")/wedge" hwmcc "$@"
SCRIPT
  chmod 755 "$folder/run-$track"
done
# A latch that stays 0, and the property that it does; then that it does not.
printf 'aag 1 0 1 0 0 1\n2 2\n2\n' > "$work/safe.aag"
printf 'aag 1 0 1 0 0 1\n2 3\n2\n' > "$work/unsafe.aag"
cd /
expect() {
  word=$("$folder/run-bits" "$work/$1.aag" "$work/witness" "$work/certificate") || true
  [ "$word" = "$2" ] || { echo "$0: $1: $word instead of $2" >&2; exit 1; }
  "$folder/wedge" certify "$work/$1.aag" "$work/$3" > /dev/null
}
expect safe unsat certificate
expect unsafe sat witness
pack wedge-hwmcc
