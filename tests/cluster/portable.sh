#!/usr/bin/env bash
# Runs the portable launcher's job scripts on a real Slurm (../shared/testbed), with stubs (stubs/) in place of engines, routers and clients.
#
#   portable.sh up | down | SCENARIO
#
# From the environment: SRTWB (the program), SRTWB_SHARED (the shared folder), SRTWB_BED (folder of the testbed, made and removed here).
# Exit code 77: not possible here, with the reason.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
bed=$SRTWB_SHARED/testbed/slurm-testbed.sh
export SLURM_TESTBED_DIR=$SRTWB_BED

skip() {
    echo "SKIPPED: $*"
    exit 77
}
die() {
    echo "FAILED: $*"
    exit 1
}

need_testbed() {
    [[ -x $bed ]] || skip "there is no testbed/slurm-testbed.sh in the shared folder $SRTWB_SHARED"
    ((EUID == 0)) || skip "the testbed needs root"
    if ! command -v slurmd >/dev/null; then
        [[ ${SRTWB_TESTBED_INSTALL:-} ]] || skip "Slurm is not installed (SRTWB_TESTBED_INSTALL=1 lets the test install it)"
        "$bed" install || skip "the testbed could not be installed"
    fi
}

# --- a job -----------------------------------------------------------------------------------------------------------------------------

login() { ssh -n -F "$SLURM_TESTBED_SSH_CONFIG" "$SLURM_TESTBED_SSH_ALIAS" "$@"; }

# Writes the job script of the recipe on standard input and submits it as the test user; sets job, folder (of the job), script.
submit() {
    local name=$1
    shift
    work=$SLURM_TESTBED_REMOTE/$name
    rm -rf "$work"
    mkdir -p "$work/models/stub-model"
    cp -r "$here/stubs" "$work/stubs"
    cat >"$work/recipe.yaml"
    cat >"$work/srtslurm.yaml" <<EOF
cluster: testbed
default_partition: gpu
default_time_limit: "00:05:00"
gpus_per_node: 4
network_interface: ""
use_segment_sbatch_directive: false
EOF
    "$SRTWB" dry-run "$work/recipe.yaml" --cluster "$work/srtslurm.yaml" --launcher portable --services "$work/stubs/services" \
        --out "$work/dry" --json >"$work/dry.json" || die "the dry run: $(cat "$work/dry.json")"
    script=$(echo "$work"/dry/*/sbatch_script.sh)
    chown -R bench: "$work"
    job=$(login "cd $work && PATH=$work/stubs/bin:\$PATH PYTHONPATH=$work/stubs/python PYTHONDONTWRITEBYTECODE=1 STUB_NET=${STUB_NET:-1} sbatch --parsable $* $script")
    [[ $job =~ ^[0-9]+$ ]] || die "sbatch said: $job"
    folder=$work/outputs/$job
    echo "job $job, $folder"
}

state() { login squeue -h -t all -j "$job" -o %T; }

# Waits until the job is over: SECONDS; its state in REPLY.
wait_for_end() {
    local end=$((SECONDS + $1))
    while ((SECONDS < end)); do
        REPLY=$(state)
        case $REPLY in PENDING | RUNNING | SIGNALING | COMPLETING | CONFIGURING) sleep 0.5 ;; *) return ;; esac
    done
    show
    die "job $job is still $REPLY after $1 s"
}

# Waits until the status file says so: SECONDS STAGE
wait_for_stage() {
    local end=$((SECONDS + $1))
    until [[ $(told stage 2>/dev/null) == "$2" ]]; do
        ((SECONDS < end)) || { show && die "stage $2 was not reached"; }
        sleep 0.3
    done
}

# A key of the status file.
told() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))[sys.argv[2]])' "$folder/srtwb-status.json" "$1"; }

show() {
    cat "$work"/slurm-*.out "$folder/srtwb-status.json" "$folder"/logs/sweep_*.log 2>/dev/null || true
    tail -n 20 "$folder"/logs/*.out 2>/dev/null | head -n 200 || true
}

expect() {
    local what=$1 is=$2 due=$3
    [[ $is == "$due" ]] || { show && die "$what is \"$is\", not \"$due\""; }
}

# What every job leaves, however it ends.
expect_remains() {
    local file left
    for file in srtwb-status.json config.yaml sbatch_script.sh recipe.lock.yaml "$job.json" "logs/sweep_$job.log" logs/config.yaml; do
        [[ -s $folder/$file ]] || { show && die "$file is not there"; }
    done
    cmp -s "$script" "$folder/sbatch_script.sh" || die "what ran is not what was written"
    # The batch system clears up behind the script; nothing of the job may stay.
    for _ in {1..40}; do
        left=$(grep -lzsF "SLURM_SUBMIT_DIR=$work" /proc/[0-9]*/environ || true)
        [[ -n $left ]] || break
        sleep 0.25
    done
    [[ -z $left ]] || die "processes are left: $(for pid in $left; do tr '\0' ' ' <"${pid%environ}cmdline"; done)"
    left=$(find /tmp -maxdepth 1 -user bench -name 'srtwb-infra-*' -newer "$work/recipe.yaml")
    [[ -z $left ]] || die "folders are left: $left"
}

# The results as the program reads them: points, with a client and figures.
expect_results() {
    local points=$1
    "$SRTWB" import "$folder" --catalogue "$work/catalogue.sqlite" --json >"$work/import.json" || { cat "$work/import.json" && die "the import"; }
    "$SRTWB" points "$folder" --json >"$work/points.json" || die "the points"
    "$SRTWB" pareto "$folder" --json >"$work/pareto.json" || die "the frontier"
    python3 - "$work" "$points" <<'EOF' || die "the results"
import glob, json, sys
work, due = sys.argv[1], int(sys.argv[2])
points = json.load(open(f"{work}/points.json"))["points"]
assert len(points) == due, f"{len(points)} points, not {due}"
for point in points:
    assert point["outputTps"] > 0 and point["tpotMs"]["p50"] > 0 and point["completed"] > 0, point
    assert point["gpus"]["total"], point
frontier = json.load(open(f"{work}/pareto.json"))
assert any(group["frontier"] for group in frontier["groups"]), frontier
for name in glob.glob(f"{work}/outputs/*/logs/sa-bench_*/results_*.json"):
    assert "stub" in json.load(open(name))["client"], name
EOF
}

# --- recipes ---------------------------------------------------------------------------------------------------------------------------

# What all have: NAME RESOURCES BACKEND FRONTEND BENCHMARK [MORE]
recipe() {
    cat <<EOF
name: "$1"
model: {path: models/stub-model, container: stub-image, precision: fp8}
health_check: {max_attempts: 40, interval_seconds: 1}
dynamo: {install: false}
resources: {gpu_type: h100, gpus_per_node: 4, $2}
backend: $3
frontend: $4
benchmark: $5
${6:-}
EOF
}

resources() {
    case $1 in
    1-agg) echo "agg_nodes: 1, agg_workers: 2, gpus_per_agg: 2" ;;
    1-disagg) echo "prefill_nodes: 1, prefill_workers: 1, gpus_per_prefill: 2, decode_nodes: 0, decode_workers: 1, gpus_per_decode: 2" ;;
    4-agg) echo "agg_nodes: 4, agg_workers: 4, gpus_per_agg: 4" ;;
    4-disagg) echo "prefill_nodes: 2, prefill_workers: 2, gpus_per_prefill: 4, decode_nodes: 2, decode_workers: 1, gpus_per_decode: 8" ;;
    4-small) echo "prefill_nodes: 2, prefill_workers: 2, gpus_per_prefill: 4, decode_nodes: 2, decode_workers: 2, gpus_per_decode: 4" ;;
    esac
}

sabench='{type: sa-bench, isl: 16, osl: 8, concurrencies: [1, 4], num_prompts_mult: 3, num_warmup_mult: 1}'
# shellcheck disable=SC2016 # the job's shell reads it
custom='{type: custom, command: "echo \"measured http://$SRT_FRONTEND_HOST:$SRT_FRONTEND_PORT\"; python3 -c \"import os, srtwb_stub as s; print(s.load(\\\"http://\\\" + os.environ[\\\"SRT_FRONTEND_HOST\\\"] + \\\":8000\\\", \\\"stub-model\\\", 3, 1))\""}'
sglang='{type: sglang, sglang_config: {aggregated: {tp-size: 2}, prefill: {disaggregation-transfer-backend: nixl}, decode: {disaggregation-transfer-backend: nixl}}}'
mocker='{type: mocker}'
nginx="nginx_container: stub-nginx"

main_scenario() {
    local kind=$1 shape=$2
    local due=2 frontend="{type: dynamo, $nginx}" backend=$sglang benchmark=$sabench
    case $kind in
    sa-bench) frontend="{type: sglang, $nginx}" ;;
    custom) benchmark=$custom due=0 ;;
    mocker) backend=$mocker ;;
    esac
    if [[ $kind == mocker && $shape == 4-disagg ]]; then shape=4-small; fi
    submit "$kind-$shape" < <(recipe "stub-$kind-$shape" "$(resources "$shape")" "$backend" "$frontend" "$benchmark")
    wait_for_end 120
    expect "state" "$REPLY" COMPLETED
    expect "the status file's state" "$(told state)" completed
    expect "its stage" "$(told stage)" "done"
    expect "its exit code" "$(told exit_code)" 0
    expect_remains
    compgen -G "$folder/logs/fingerprint_*.json" >/dev/null || die "no fingerprints"
    grep -q fingerprints: "$folder/recipe.lock.yaml" || die "the lockfile has no fingerprints"
    if ((due)); then expect_results "$due"; else grep -q 'measured http://' "$folder/logs/benchmark.out" || die "the command did not run"; fi
}

# A job that goes wrong: NAME ENVIRONMENT-LINES; then what is due.
failing() {
    submit "$1" "${@:3}" < <(recipe "stub-$1" "$(resources 1-agg)" "$sglang" "{type: dynamo, $nginx}" "$sabench" "environment: {$2}")
}

run_scenario() {
    case $1 in
    sa-bench-* | custom-* | mocker-*)
        local shape=${1##*bench-}
        shape=${shape#custom-} shape=${shape#mocker-}
        main_scenario "${1%"-$shape"}" "$shape"
        ;;
    worker-dies)
        failing "$1" 'STUB_WORKER_DIES: "2", STUB_CLIENT_SECONDS: "60"'
        wait_for_end 60
        expect "state" "$REPLY" FAILED
        expect "the status file's state" "$(told state)" failed
        expect "its stage" "$(told stage)" benchmark
        [[ $(told reason) == *"agg_w"*"ended with exit code 7"* ]] || die "reason: $(told reason)"
        expect_remains
        grep -q 'ends on order' "$folder"/logs/*agg_w0.out || die "the worker's log is gone"
        ;;
    never-healthy)
        failing "$1" 'STUB_NEVER_SERVED: "1"'
        wait_for_end 90
        expect "state" "$REPLY" FAILED
        expect "its stage" "$(told stage)" health
        [[ $(told reason) == *"not served after 40 s"* ]] || die "reason: $(told reason)"
        expect_remains
        ;;
    benchmark-fails)
        failing "$1" 'STUB_CLIENT_FAILS: "3"'
        wait_for_end 60
        expect "state" "$REPLY" FAILED
        expect "its stage" "$(told stage)" benchmark
        [[ $(told reason) == *"benchmark ended with exit code"* ]] || die "reason: $(told reason)"
        expect_remains
        grep -q 'fails on order' "$folder/logs/benchmark.out" || die "the benchmark's log is gone"
        ;;
    time-limit)
        failing "$1" 'STUB_CLIENT_SECONDS: "300"' --time=1
        wait_for_end 150
        [[ $REPLY == FAILED || $REPLY == TIMEOUT ]] || { show && die "state: $REPLY"; }
        expect "the status file's state" "$(told state)" timeout
        expect "its exit code" "$(told exit_code)" 124
        expect_remains
        ;;
    cancelled)
        failing "$1" 'STUB_CLIENT_SECONDS: "300"'
        wait_for_stage 40 benchmark
        login scancel "$job"
        wait_for_end 40
        expect "state" "$REPLY" CANCELLED
        expect "the status file's state" "$(told state)" cancelled
        expect_remains
        ;;
    hostile)
        # What a shell or sbatch would take for more than data reaches the process as it is.
        local evil
        # shellcheck disable=SC2016 # nothing of it is to be expanded
        evil='"one\n#SBATCH --comment=evil\n$(touch '$SLURM_TESTBED_REMOTE'/PWNED) `touch '$SLURM_TESTBED_REMOTE'/PWNED` '"'"' end"'
        rm -f "$SLURM_TESTBED_REMOTE/PWNED"
        # shellcheck disable=SC2016 # the job's shell reads it
        submit "$1" < <(recipe "stub-$1" "$(resources 1-agg)" "$sglang" "{type: dynamo, $nginx}" \
            '{type: custom, command: "printf %s \"$EVIL\""}' "environment: {EVIL: $evil}")
        wait_for_end 60
        expect "state" "$REPLY" COMPLETED
        [[ ! -e $SLURM_TESTBED_REMOTE/PWNED ]] || die "a text of the recipe was run"
        if login scontrol show job "$job" | grep -q evil; then die "sbatch read a text of the recipe"; fi
        grep -qF "\$(touch $SLURM_TESTBED_REMOTE/PWNED)" "$folder/logs/benchmark.out" || { show && die "the text did not arrive"; }
        grep -qxF '#SBATCH --comment=evil' "$folder/logs/benchmark.out" || die "its lines did not arrive"
        expect_remains
        ;;
    *) die "no such scenario: $1" ;;
    esac
    echo "OK: $1"
}

need_testbed
case ${1:?} in
up) "$bed" up ;;
down) "$bed" down ;;
*)
    set -a
    eval "$("$bed" env)" || skip "the testbed is not up"
    set +a
    run_scenario "$1"
    ;;
esac
