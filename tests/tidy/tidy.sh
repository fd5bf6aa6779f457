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
cmake --preset clang -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -B "$build" >/dev/null
# Sources name their mocs. The build makes them behind the libraries that a target links, so they are made past it: nothing is compiled here.
find "$build" -name AutogenInfo.json | while read -r info; do
    # It looks into generated sources too, which hold no class of Qt's.
    sed -n 's/.*"\(\/[^"]*\/embedded_[A-Za-z]*\.cpp\)".*/\1/p' "$info" | xargs -r -d '\n' touch
    cmake -E cmake_autogen "$info" Debug >/dev/null
done
if [ $# -gt 0 ]; then
    printf '%s\n' "$@"
else
    git ls-files 'app/*.cpp' 'core/*.cpp' 'ui/*.cpp' 'tests/*.cpp'
fi | grep -v '^tests/fuzz/recipe_fuzzer' | xargs -P "$jobs" -n 1 clang-tidy --quiet -p "$build"
