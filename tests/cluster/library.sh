#!/usr/bin/env bash
# Tests of the shell library of job scripts by itself, without Slurm: its functions over given texts.
# shellcheck disable=SC2154,SC2034,SC2016,SC2088 # the library sets and reads them, and expands what stands in quotes
set -u

runtime=${SRTWB_RUNTIME:?}
failed=0

check() {
    if [[ $2 != "$3" ]]; then
        printf '%s: got "%s", expected "%s"\n' "$1" "$2" "$3"
        failed=1
    fi
}

if command -v shellcheck >/dev/null; then
    shellcheck -s bash "$runtime"/*.sh "${BASH_SOURCE[0]}" "${BASH_SOURCE[0]%/*}/portable.sh" || failed=1
else
    echo "shellcheck is not there: the library is not checked by it"
fi

# shellcheck source=/dev/null
source "$runtime/launcher.sh"

srt_json $'a "quoted" \\ text\nwith\ttab'
check "a text as JSON" "$REPLY" '"a \"quoted\" \\ text\u000awith\u0009tab"'
srt_json ''
check "no text as JSON" "$REPLY" '""'

HOME=/home/me ANIMAL=cat
srt_expand '~/x'
check "home" "$REPLY" /home/me/x
# shellcheck disable=SC2016 # the library expands them
srt_expand 'a/$ANIMAL/${ANIMAL}s/$NOTHING/$(rm -rf x)/`y`'
# shellcheck disable=SC2016
check "variables, nothing else" "$REPLY" 'a/cat/cats/$NOTHING/$(rm -rf x)/`y`'

srt_mount_list=()
SLURM_SUBMIT_DIR=/submit
srt_mount /a /data:ro
srt_mount b /work
srt_mount /c /work
srt_joined_mounts
check "the last mount of a target counts" "$REPLY" "/a:/data:ro,/c:/work"

health='{"status":"healthy","instances":[{"component":"prefill","endpoint":"generate","transport":{"tcp":"x"}},
 {"endpoint": "generate", "component" : "backend", "transport": {"endpoint": "other"}},
 {"component":"backend","endpoint":"clear_kv_blocks"},{"component":"router","endpoint":"generate"}]}'
srt_count_instances "$health"
check "instances that generate" "$REPLY" "1 1"
srt_count_instances 'no JSON {{{ at all'
check "instances in rubbish" "$REPLY" "0 0"
srt_number '{"stats": {"prefill_count": 12}}' prefill_count
check "a number" "$REPLY" 12
srt_number '{}' prefill_count
check "no number" "$REPLY" 0

# A step: words for srun, with and without containers.
srt_node=(n1 n2) srt_address=(10.0.0.1 10.0.0.2) srt_runtime=/rt srt_host_logs=/logs srt_image='' srt_containers=0
step_name=w step_log=w.out step_nodes=(1) step_environment=('A=b c' 'D=') step_unset=(X) step_argv=(run "it's" '$(id)') step_options=(--mem=0)
srt_step print
check "words of a step" "$(printf '<%s>' "${srt_words[@]}")" \
    "<--overlap><--nodes=1><--ntasks=1><--ntasks-per-node=1><--nodelist=n2><--kill-on-bad-exit=1><--mem=0><bash></rt/step.sh><w><><A=b c><D=><-X><--><run><it's><\$(id)>"
check "its log" "$srt_step_log" /logs/w.out
check "nothing is left of it" "${#step_argv[@]}$step_name" 0
srt_containers=1 srt_image=/image.sqsh srt_dynamo='release 1'
step_name=w step_log=w.out step_nodes=(0 1) step_needs=(dynamo) step_root=1 step_argv=(run)
srt_step print
check "words of a step in a container" "$(printf '<%s>' "${srt_words[@]:5}")" \
    "<--kill-on-bad-exit=1><--container-image=/image.sqsh><--no-container-entrypoint><--no-container-mount-home><--container-mounts=/a:/data:ro,/c:/work><--container-remap-root><--export=ALL,ENROOT_REMAP_ROOT=yes><bash></rt/step.sh><w><dynamo><--><run>"

# step.sh sets and takes away variables, and runs the words as they are.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
out=$(X=1 SRTWB_LOGS=$folder SRTWB_CONFIGS=$folder bash "$runtime/step.sh" w '' "A=it's \$(touch $folder/pwned)" -X -- \
    bash -c 'printf "%s|%s|%s" "$A" "${X-unset}" "$1"' - '$(touch '"$folder"'/pwned)' | tail -n 1)
check "a step's variables and words" "$out" "it's \$(touch $folder/pwned)|unset|\$(touch $folder/pwned)"
[[ ! -e $folder/pwned ]] || check "words as code" yes no
if SRTWB_LOGS=$folder SRTWB_CONFIGS=$folder SRTWB_SETUP=fix.sh bash "$runtime/step.sh" w setup -- true >"$folder/out"; then
    check "a setup script that is not there" "passes" "fails"
fi
check "what is said of it" "$(cat "$folder/out")" "[w] setup_script: there is no fix.sh in $folder or its folder patches."
mkdir "$folder/patches" && echo 'echo set up' >"$folder/patches/fix.sh"
out=$(SRTWB_LOGS=$folder SRTWB_CONFIGS=$folder SRTWB_SETUP=fix.sh bash "$runtime/step.sh" w setup -- true | head -n 1)
check "a setup script among the patches" "$out" "set up"

# The status file.
srt_dir=$folder srt_name=$'odd "name"\n' srt_state=failed srt_stage=workers srt_reason='it '\''broke' srt_code=1 srt_started=now
SLURM_JOB_ID=7 srt_write_status
if command -v python3 >/dev/null; then
    check "the status file" "$(python3 -c 'import json, sys
s = json.load(open(sys.argv[1]))
print(s["state"], s["stage"], s["exit_code"], repr(s["name"]), s["reason"], s["job_id"])' "$folder/srtwb-status.json")" \
        "failed workers 1 'odd \"name\"\\n' it 'broke 7"
fi


# How many workers serve, from the frontends' answers; the status file tells it when it changes.
srt_workers='' srt_health_node=0 srt_health=dynamo srt_health_prefill=2 srt_health_decode=1
# shellcheck disable=SC2317 # srt_is_served calls it
srt_get() { REPLY=$answer; }
worker() { printf '{"endpoint": "generate", "component": "%s"}' "$1"; }
answer="{\"instances\": [$(worker prefill)]}"
if srt_is_served; then check "a model whose workers are not all there" "served" "not served"; fi
check "workers of a dynamo frontend" "$srt_workers" "1 of 2 prefill, 0 of 1 decode"
check "workers in the status file" "$(grep -o '"workers": "[^"]*"' "$folder/srtwb-status.json")" '"workers": "1 of 2 prefill, 0 of 1 decode"'
answer="{\"instances\": [$(worker prefill), $(worker prefill), $(worker decode)]}"
srt_is_served || check "a model whose workers are all there" "not served" "served"
check "workers of a dynamo frontend that are all there" "$srt_workers" "2 of 2 prefill, 1 of 1 decode"
srt_health=sglang srt_health_prefill=0 srt_health_decode=4 answer='{"stats": {"prefill_count": 0, "decode_count": 0, "regular_count": 3}}'
if srt_is_served; then check "aggregated workers that are not all there" "served" "not served"; fi
check "aggregated workers" "$srt_workers" "3 of 4"

# The fingerprint of a worker: the version of NCCL, and a Python without ctypes.
if command -v python3 >/dev/null; then
    check "NCCL of a package, of a library, before 2.9, of none" "$(python3 - "$runtime/fingerprint.py" <<'PYTHON'
import runpy
import sys
import types

nccl = runpy.run_path(sys.argv[1])["nccl"]


class Library:
    def __init__(self, number, status):
        self.number, self.status = number, status

    def ncclGetVersion(self, found):
        found.value = self.number
        return self.status


def of(number, status=0):
    fake = types.ModuleType("ctypes")
    fake.c_int = lambda: types.SimpleNamespace(value=0)
    fake.byref = lambda found: found
    fake.CDLL = lambda name: Library(number, status)
    sys.modules["ctypes"] = fake
    return nccl({})


def without():
    sys.modules["ctypes"] = None
    return nccl({})


print(nccl({"torch": "2.9", "nvidia_nccl-cu13": "2.28.9.post1"}), of(22809), of(21005), of(2708), of(22809, 3), without())
PYTHON
)" "(2, 28, 9) (2, 28, 9) (2, 10, 5) (2, 7, 8) unavailable unavailable"
    check "the fingerprint of a Python without ctypes" "$(python3 -c 'import json, runpy, sys
sys.modules["ctypes"] = None
runpy.run_path(sys.argv[1], run_name="__main__")' "$runtime/fingerprint.py" | python3 -c 'import json, sys
print(sorted(json.load(sys.stdin))[:3])')" "['arch', 'cpu', 'cuda_version']"
fi

exit "$failed"
