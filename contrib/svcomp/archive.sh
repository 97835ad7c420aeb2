#!/usr/bin/env bash
# Builds the archive for SV-COMP: one folder with the program, licences, README and a smoke test.
#   contrib/svcomp/archive.sh [--binary PATH] wedge.zip
source "$(dirname "${BASH_SOURCE[0]}")/../binary.sh"
folder=$work/wedge
mkdir "$folder"
install -m 755 "$binary" "$folder/wedge"
# Without the symbols for debuggers it has a quarter of the size.
strip "$folder/wedge" 2> /dev/null || true
cp "$root/LICENSE-MIT" "$root/LICENSE-APACHE" "$folder/"
printf 'Wedge is licensed under MIT or Apache-2.0, at your option.\nIt contains CaDiCaL (MIT).\n\n' > "$folder/LICENSE"
cat "$root/LICENSE-MIT" >> "$folder/LICENSE"
cp "$root/contrib/svcomp/README.md" "$folder/README.md"
install -m 755 "$root/contrib/svcomp/smoketest.sh" "$folder/smoketest.sh"
cp "$root/contrib/toolinfo/wedge.py" "$folder/"
(cd / && "$folder/smoketest.sh" > /dev/null)
pack wedge
