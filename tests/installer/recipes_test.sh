#!/bin/sh
# recipes_test.sh SRTWB RECIPES: our own recipes have no problem of any severity with the example cluster, and the sweep has the job names
# that the sample results carry.
set -eu

srtwb=$1
recipes=$2
cluster=$recipes/cluster/srtslurm.yaml

"$srtwb" check --cluster "$cluster" "$recipes"
problems=$("$srtwb" check --json --cluster "$cluster" "$recipes" | grep '"severity"' || true)
if [ -n "$problems" ]; then
    echo "the check has something to say about our own recipes"
    exit 1
fi

names=$("$srtwb" expand --json --cluster "$cluster" "$recipes/dsr1-disagg-chunked-prefill.yaml" |
    sed -n 's/^ *"name": "\(dsr1-disagg-chunked-prefill_.*\)".*/\1/p' | uniq | tr '\n' ' ')
wanted='dsr1-disagg-chunked-prefill_chunked8192 dsr1-disagg-chunked-prefill_chunked16384 '
if [ "$names" != "$wanted" ]; then
    echo "the sweep's jobs are $names"
    exit 1
fi
