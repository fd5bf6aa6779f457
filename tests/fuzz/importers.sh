#!/bin/sh
# Fuzzes each importer for some seconds, one after the other; a find is kept, told, and the next importer goes on.
#
#   cmake --preset fuzz && ninja -C build/fuzz importer_fuzzer
#   SHARED=../shared sh tests/fuzz/importers.sh build/fuzz/bin/importer_fuzzer OUT [SECONDS [ID...]]
#
# Without ids: every row of core/results/importers.cpp, and "content", which finds the importer by content. OUT gets a corpus, a log and the
# finds of each, and report.tsv: id, executions, edges covered, features, inputs kept, finds. Seeds are our own samples and, where SHARED
# has them, the real files up to 16 KiB. An input that takes over TIMEOUT seconds (1) by the clock is a find; on a busy machine look at the
# processor's time of it before believing that.
set -eu
fuzzer=$(realpath "$1")
out=$2
seconds=${3:-180}
root=$(realpath "$(dirname "$0")/../..")
shift $(($# > 3 ? 3 : $#))
ids=$*
[ -n "$ids" ] || ids="content $(sed -n 's/^ *{\.id = "\(.*\)",$/\1/p' "$root/core/results/importers.cpp")"
mkdir -p "$out"
out=$(realpath "$out")
mkdir -p "$out/seeds"
cp "$root"/tests/data/results/* "$out/seeds/"
[ ! -d "$root/tests/fuzz/foundresults" ] || cp "$root"/tests/fuzz/foundresults/* "$out/seeds/"
if [ -d "${SHARED:-}/results/real" ]; then
    find "$SHARED/results/real" -type f -size -17k -exec cp {} "$out/seeds/" \;
fi
failed=0
for id in $ids; do
    mkdir -p "$out/$id/corpus" "$out/$id/finds"
    named=$id
    [ "$id" != content ] || named=
    code=0
    SRTWB_FUZZ_IMPORTER=$named "$fuzzer" -max_total_time="$seconds" -max_len=16384 -timeout="${TIMEOUT:-1}" -rss_limit_mb=1024 -print_final_stats=1 \
        -artifact_prefix="$out/$id/finds/" "$out/$id/corpus" "$out/seeds" >"$out/$id/log" 2>&1 || code=$?
    [ "$code" -eq 0 ] || failed=1
    awk -v id="$id" -v finds="$(find "$out/$id/finds" -type f | wc -l)" '
        / cov: / { for (i = 1; i < NF; ++i) { if ($i == "cov:") cov = $(i + 1); if ($i == "ft:") ft = $(i + 1); if ($i == "corp:") corp = $(i + 1) } }
        /^stat::number_of_executed_units:/ { executions = $2 }
        END { printf "%s\t%s\t%s\t%s\t%s\t%s\n", id, executions, cov, ft, corp, finds }' "$out/$id/log" | tee -a "$out/report.tsv"
done
exit $failed
