#!/usr/bin/env bash
# Builds an archive to install by hand: the program, linked statically, licences, manual pages and
# completions.
#   contrib/static.sh [--binary PATH] wedge.tar.gz
source "$(dirname "${BASH_SOURCE[0]}")/binary.sh"
folder=$work/wedge-$version
mkdir -p "$folder/bin" "$folder/share/man" "$folder/share/bash-completion/completions" \
  "$folder/share/zsh/site-functions" "$folder/share/fish/vendor_completions.d"
install -m 755 "$binary" "$folder/bin/wedge"
strip "$folder/bin/wedge" 2> /dev/null || true
cp "$root/LICENSE-MIT" "$root/LICENSE-APACHE" "$folder/"
"$folder/bin/wedge" man --out "$folder/share/man/man1"
"$folder/bin/wedge" completions bash > "$folder/share/bash-completion/completions/wedge"
"$folder/bin/wedge" completions zsh > "$folder/share/zsh/site-functions/_wedge"
"$folder/bin/wedge" completions fish > "$folder/share/fish/vendor_completions.d/wedge.fish"
[ "$("$folder/bin/wedge" check "$root/examples/arbiter.aag")" = TRUE ]
pack "wedge-$version"
