#!/bin/sh
# Runs clang-tidy (.clang-tidy) on every source, or on those named. Fails when it finds something.
#
#   sh tests/tidy/tidy.sh [FILE...]
#
# Takes about ten seconds of a core for each file. SRTWB_JOBS=N sets how many run at once; BUILD=DIR where the compile commands go.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
build=${BUILD:-$root/build/tidy}
jobs=${SRTWB_JOBS:-$(nproc)}
cd "$root"
# clang-tidy reads no header that g++ or another clang precompiled.
# Nor must anything be compiled for it: a target's mocs would else wait for the libraries that it links.
cmake --preset clang -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DCMAKE_AUTOGEN_ORIGIN_DEPENDS=OFF -B "$build" >/dev/null
# Mocs and the files that resources become are made by the build.
cmake --build "$build" --target help 2>/dev/null | sed -n 's/^\([A-Za-z_]*_autogen\): .*/\1/p' | while read -r target; do
    cmake --build "$build" --target "$target" >/dev/null
done
if [ $# -gt 0 ]; then
    printf '%s\n' "$@"
else
    git ls-files 'app/*.cpp' 'core/*.cpp' 'ui/*.cpp' 'tests/*.cpp'
fi | grep -v '^tests/fuzz/recipe_fuzzer' | xargs -P "$jobs" -n 1 clang-tidy --quiet -p "$build"
