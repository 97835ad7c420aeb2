# Sourced by the scripts that build archives. Gives `binary`: the path of Wedge, linked statically.
# With --binary PATH another one is packed, which then must run where the archive is unpacked.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
binary=
if [ "${1:-}" = --binary ]; then
  binary=$(realpath "${2:?--binary needs a path}")
  shift 2
fi
out=${1:?where to write the archive, a path that ends in .zip or .tar.gz}
out=$(realpath -m "$out")
if [ -z "$binary" ]; then
  # A target of its own, so that scripts which run while building are not linked statically, and a
  # folder of its own, so that other builds stay as they are.
  target=x86_64-unknown-linux-gnu
  (cd "$root" && RUSTFLAGS="-C target-feature=+crt-static" \
    cargo build --release -p wedge --target $target --target-dir target/static)
  binary=$root/target/static/$target/release/wedge
  # For a program that is linked statically and may lie anywhere ldd says so and succeeds.
  if ldd "$binary" 2>/dev/null | grep -q '=>'; then
    echo "$0: $binary is not linked statically" >&2
    exit 1
  fi
fi
version=$("$binary" --version | cut -d' ' -f2)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Packs the folder $work/$1 as $out.
pack() {
  mkdir -p "$(dirname "$out")"
  rm -f "$out"
  case $out in
    *.zip) (cd "$work" && zip -q -r "$out" "$1") ;;
    *.tar.gz) tar -C "$work" -czf "$out" "$1" ;;
    *) echo "$0: the archive is a .zip or a .tar.gz" >&2; exit 2 ;;
  esac
  echo "$out: wedge $version, $(du -h "$out" | cut -f1)"
}
