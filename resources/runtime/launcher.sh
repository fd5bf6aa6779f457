# Runs a job from the data that stands above: starts infra, workers and frontends, waits until the model is served, measures, stops all of
# it and says how it ended. Needs bash 4.2, srun and what every Linux has (coreutils, grep).
#
# Data are variables (the defaults below say which) and functions without arguments that the launcher calls once nodes have names:
#   srt_files           calls srt_file NAME TEXT for each file of the log folder
#   srt_mounts          calls srt_mount HOST CONTAINER for each mount
#   srt_infra_step, srt_worker_steps, srt_frontend_steps, srt_benchmark_step
#                       call srt_step for each process (see there)
# In them "${srt_node[N]}" is the name and "${srt_address[N]}" the address of the Nth node of the allocation, "$srt_logs" and "$srt_model"
# are the folders as processes see them, "$srt_dir" is the job's own folder. Everything else in them is quoted text.
#
# How it ends stands in "$srt_dir/srtwb-status.json", which is there from the first moment on: state (running, completed, failed, cancelled,
# timeout), stage (prepare, infra, workers, frontend, health, benchmark, done), reason, exit_code, client, workers (how many serve; empty: the
# frontend does not tell).

: "${srt_name:=job}"              # of the job
: "${srt_output:=}"               # folder that gets a folder for each job; empty: "outputs" where the job was submitted
: "${srt_nodes:=1}"               # of the allocation
: "${srt_interface:=}"            # network interface whose address is taken; empty: that of the default route
: "${srt_recipe_file:=config.yaml}"
: "${srt_recipe:=}"               # text of the resolved recipe
: "${srt_metadata:=}"             # text of <job>.json
: "${srt_image:=}"                # container image; empty: plain processes
: "${srt_model_source:=}"         # folder of the model on the host; empty: the engine fetches it
: "${srt_model_key:=model.path}"
: "${srt_configs:=}"              # folder with nats-server, etcd and setup scripts
: "${srt_uses_infra:=0}"          # 1: nats and etcd are needed
: "${srt_infra_node:=0}"
: "${srt_setup:=}"                # name of the setup script
: "${srt_preamble:=}"             # shell text of the cluster file, run before every process
: "${srt_dynamo:=}"               # what is installed before dynamo runs: "release X", "source REVISION", empty: nothing
: "${srt_health:=dynamo}"         # who says that the model is served: dynamo, sglang, vllm
: "${srt_health_node:=0}"
: "${srt_health_prefill:=0}" "${srt_health_decode:=0}"
: "${srt_health_attempts:=180}" "${srt_health_interval:=10}"
: "${srt_port:=8000}"             # public port
: "${srt_benchmark:=manual}"      # type of the benchmark

srt_node=() srt_address=() srt_pids=() srt_names=() srt_logfiles=() srt_measuring=''
srt_state=running srt_stage=prepare srt_reason='' srt_code='' srt_client='' srt_workers='' srt_started='' srt_warned=0

srt_now() { TZ=UTC printf '%(%Y-%m-%dT%H:%M:%SZ)T' -1; }
srt_say() { printf '[%s] %s\n' "$(srt_now)" "$*"; }

# --- status ----------------------------------------------------------------------------------------------------------------------------

# A text as JSON, in REPLY.
srt_json() {
    local text=$1 out='' char code i
    text=${text//\\/\\\\}
    text=${text//\"/\\\"}
    if [[ $text == *[[:cntrl:]]* ]]; then
        for ((i = 0; i < ${#text}; i++)); do
            char=${text:i:1}
            if [[ $char == [[:cntrl:]] ]]; then
                printf -v code '%d' "'$char"
                printf -v char '\\u%04x' "$code"
            fi
            out+=$char
        done
        text=$out
    fi
    REPLY="\"$text\""
}

srt_write_status() {
    local ended=null name reason client=null
    [[ $srt_state == running ]] || ended="\"$(srt_now)\""
    srt_json "$srt_name" && name=$REPLY
    srt_json "$srt_reason" && reason=$REPLY
    if [[ -n $srt_client ]]; then srt_json "$srt_client" && client=$REPLY; fi
    printf '{"version": 1, "launcher": "portable", "job_id": "%s", "name": %s, "state": "%s", "stage": "%s", "reason": %s, "exit_code": %s, "client": %s, "workers": "%s", "started": "%s", "ended": %s}\n' \
        "${SLURM_JOB_ID:-}" "$name" "$srt_state" "$srt_stage" "$reason" "${srt_code:-null}" "$client" "$srt_workers" "$srt_started" "$ended" \
        >"$srt_dir/srtwb-status.json.new" && mv -f "$srt_dir/srtwb-status.json.new" "$srt_dir/srtwb-status.json"
}

srt_enter() {
    srt_stage=$1
    srt_say "Stage $1"
    srt_write_status
}

# The job ends here: STATE EXIT-CODE REASON
srt_end() {
    trap : TERM INT USR1
    srt_state=$1 srt_code=$2 srt_reason=$3
    srt_say "${srt_state}: ${srt_reason:-all stages ended well}"
    srt_stop
    srt_collect
    srt_write_status
    exit "$srt_code"
}

srt_fail() { srt_end failed 1 "$1"; }

# The batch system ends the job: its time is over, or somebody cancels it.
srt_interrupted() {
    trap : TERM INT USR1
    local why=''
    ((srt_warned)) || why=$(timeout 3 scontrol --oneliner show job "${SLURM_JOB_ID:-0}" 2>/dev/null)
    if ((srt_warned)) || [[ $why == *Reason=TimeLimit* || $why == *JobState=TIMEOUT* ]]; then
        srt_end timeout 124 "The time limit of the job is reached."
    fi
    srt_end cancelled 143 "The job was cancelled."
}

# --- processes -------------------------------------------------------------------------------------------------------------------------

# Waits for that many seconds; a signal ends it at once.
srt_sleep() {
    sleep "$1" &
    wait "$!"
}

# Starts srun in the background: NAME LOGFILE WORDS...
srt_start() {
    local name=$1 log=$2
    shift 2
    srt_say "Starting $name"
    srun "$@" </dev/null >>"$log" 2>&1 &
    srt_pids+=("$!")
    srt_names+=("$name")
    srt_logfiles+=("$log")
}

# The job fails when a process that must live has ended.
srt_watch() {
    local i status
    for i in "${!srt_pids[@]}"; do
        if ! kill -0 "${srt_pids[i]}" 2>/dev/null; then
            wait "${srt_pids[i]}"
            status=$?
            local name=${srt_names[i]} log=${srt_logfiles[i]}
            unset "srt_pids[i]" "srt_names[i]" "srt_logfiles[i]"
            srt_say "Last lines of $log:"
            tail -n 50 "$log"
            srt_fail "$name ended with exit code $status; see ${log#"$srt_dir/"}."
        fi
    done
}

# Waits until none of the processes is left, at most so many tenths of a second: TENTHS PID...
srt_gone() {
    local tenths=$1 i pid left
    shift
    for ((i = 0; i < tenths; i++)); do
        left=0
        for pid in "$@"; do if kill -0 "$pid" 2>/dev/null; then left=1; fi; done
        ((left)) || return 0
        sleep 0.1
    done
    return 1
}

# Stops what was started, all at once: the processes are asked to end, then srun takes them away.
srt_stop() {
    local left=("${srt_pids[@]}") pid
    [[ -z $srt_measuring ]] || left+=("$srt_measuring")
    srt_pids=() srt_names=() srt_logfiles=() srt_measuring=''
    ((${#left[@]})) || return 0
    # Reaches all steps and not this script; srun itself would kill them without a word.
    timeout 10 scancel --quiet --signal=TERM "${SLURM_JOB_ID:-0}" 2>/dev/null
    if ! srt_gone 100 "${left[@]}"; then
        for pid in "${left[@]}"; do kill -TERM "$pid" 2>/dev/null; done
        if ! srt_gone 50 "${left[@]}"; then
            for pid in "${left[@]}"; do kill -KILL "$pid" 2>/dev/null; done
        fi
    fi
    wait
}

# --- a step ----------------------------------------------------------------------------------------------------------------------------

# `$NAME`, `${NAME}` and a leading `~` replaced, as the cluster file and mounts may use them; nothing else is looked at. In REPLY.
srt_expand() {
    local text=$1 out='' name
    if [[ $text == \~ || $text == \~/* ]]; then text=$HOME${text:1}; fi
    while [[ $text =~ ^([^$]*)\$(\{([A-Za-z_][A-Za-z0-9_]*)\}|([A-Za-z_][A-Za-z0-9_]*))(.*)$ ]]; do
        name=${BASH_REMATCH[3]}${BASH_REMATCH[4]}
        out+=${BASH_REMATCH[1]}
        if [[ -n ${!name+set} ]]; then out+=${!name}; else out+=\$${BASH_REMATCH[2]}; fi
        text=${BASH_REMATCH[5]}
    done
    REPLY=$out$text
}

# Adds a mount; the last one for a folder of the container counts.
srt_mount() {
    local host container=$2 i
    srt_expand "$1" && host=$REPLY
    [[ $host == /* ]] || host=${SLURM_SUBMIT_DIR:-$PWD}/$host
    for i in "${!srt_mount_list[@]}"; do
        if [[ ${srt_mount_list[i]#*:} == "$container" ]]; then unset "srt_mount_list[i]"; fi
    done
    srt_mount_list+=("$host:$container")
}

srt_joined_mounts() {
    local IFS=,
    REPLY="${srt_mount_list[*]}"
}

# Starts one process of the job. The variables step_* describe it, and are reset afterwards:
#   step_name, step_log        its name, and its log below the log folder
#   step_nodes                 positions of its nodes
#   step_argv                  the command
#   step_environment           NAME=VALUE each; step_unset: names taken away
#   step_options               further words for srun
#   step_image                 container image; empty: that of the job
#   step_needs                 words: fingerprint, setup, dynamo
#   step_host                  1: never in a container; step_root: 1: as root in its container
# With "print" as the first argument the words for srun are left in srt_words instead.
srt_step() {
    local names='' position image=${step_image:-$srt_image} inner=() word
    for position in "${step_nodes[@]}"; do names+=${names:+,}${srt_node[position]}; done
    srt_words=(--overlap --nodes="${#step_nodes[@]}" --ntasks="${#step_nodes[@]}" --ntasks-per-node=1 --nodelist="$names" --kill-on-bad-exit=1)
    if ((srt_containers && !step_host)); then
        srt_joined_mounts
        srt_words+=(--container-image="$image" --no-container-entrypoint --no-container-mount-home --container-mounts="$REPLY")
        if ((step_root)); then srt_words+=(--container-remap-root); fi
        # Installing packages needs a root user in the container.
        if [[ $srt_dynamo && " ${step_needs[*]} " == *' dynamo '* ]]; then srt_words+=("--export=ALL,ENROOT_REMAP_ROOT=yes"); fi
    fi
    srt_words+=("${step_options[@]}")
    for word in "${step_unset[@]}"; do inner+=("-$word"); done
    srt_words+=(bash "$srt_runtime/step.sh" "$step_name" "${step_needs[*]}" "${step_environment[@]}" "${inner[@]}" -- "${step_argv[@]}")
    local name=$step_name log=$srt_host_logs/$step_log
    step_name='' step_log='' step_image='' step_host=0 step_root=0
    step_nodes=() step_argv=() step_environment=() step_unset=() step_options=() step_needs=()
    if [[ ${1:-} == print ]]; then
        srt_step_log=$log
    else
        srt_start "$name" "$log" "${srt_words[@]}"
    fi
}
step_name='' step_log='' step_image='' step_host=0 step_root=0 srt_step_log=''
step_nodes=() step_argv=() step_environment=() step_unset=() step_options=() step_needs=() srt_words=() srt_mount_list=()

# --- network ---------------------------------------------------------------------------------------------------------------------------

# Whether something listens: ADDRESS PORT
# shellcheck disable=SC2016 # the inner bash reads its own arguments
srt_listens() { timeout 5 bash -c 'exec 3<>"/dev/tcp/$0/$1"' "$1" "$2" 2>/dev/null; }

# The answer to a GET in REPLY; fails unless it is 200: ADDRESS PORT PATH
srt_get() {
    local answer
    # shellcheck disable=SC2016 # the inner bash reads its own arguments
    answer=$(timeout 5 bash -c 'exec 3<>"/dev/tcp/$0/$1" && printf "GET %s HTTP/1.0\r\nHost: %s\r\nConnection: close\r\n\r\n" "$2" "$0" >&3 && cat <&3' \
        "$1" "$2" "$3" 2>/dev/null | tr -d '\0') || return 1
    REPLY=${answer#*$'\r\n\r\n'}
    [[ $answer =~ ^HTTP/1\.[01]\ 200 ]]
}

# Counts, in an answer of dynamo's /health, the instances that generate, by component: two numbers (prefill, others) in REPLY.
srt_count_instances() {
    local token depth=0 prefill=0 others=0 component=() endpoint=()
    while IFS= read -r token; do
        case $token in
        '{')
            depth=$((depth + 1))
            component[depth]='' endpoint[depth]=''
            ;;
        '}')
            if [[ ${endpoint[depth]} == generate ]]; then
                case ${component[depth]} in
                prefill) prefill=$((prefill + 1)) ;;
                decode | tensorrt_llm | backend) others=$((others + 1)) ;;
                esac
            fi
            depth=$((depth - 1))
            ((depth >= 0)) || depth=0
            ;;
        '"component"'*) token=${token%\"} component[depth]=${token##*\"} ;;
        '"endpoint"'*) token=${token%\"} endpoint[depth]=${token##*\"} ;;
        esac
    done < <(grep -oE '[{}]|"(component|endpoint)"[[:space:]]*:[[:space:]]*"[^"]*"' <<<"$1")
    REPLY="$prefill $others"
}

# The number at a key of a JSON text, 0 when there is none: TEXT KEY; in REPLY
srt_number() {
    REPLY=0
    if [[ $1 =~ \"$2\"[[:space:]]*:[[:space:]]*([0-9]+) ]]; then REPLY=${BASH_REMATCH[1]}; fi
}

# Whether the model is served by all workers; what is there in srt_seen.
srt_is_served() {
    local address=${srt_address[srt_health_node]} prefill=0 decode=0 regular
    case $srt_health in
    dynamo)
        srt_get "$address" "$srt_port" /health || return 1
        srt_count_instances "$REPLY"
        prefill=${REPLY% *} decode=${REPLY#* }
        ;;
    sglang)
        srt_get "$address" "$srt_port" /workers || return 1
        local answer=$REPLY
        srt_number "$answer" prefill_count && prefill=$REPLY
        srt_number "$answer" decode_count && decode=$REPLY
        srt_number "$answer" regular_count && regular=$REPLY
        decode=$((decode + regular))
        ;;
    *)
        srt_get "$address" "$srt_port" /health && srt_get "$address" "$srt_port" /v1/models && [[ $REPLY == *'"id"'* ]]
        return
        ;;
    esac
    srt_seen="$prefill prefill and $decode other workers of $srt_health_prefill and $srt_health_decode"
    local workers="$decode of $srt_health_decode"
    ((srt_health_prefill == 0)) || workers="$prefill of $srt_health_prefill prefill, $workers decode"
    if [[ $workers != "$srt_workers" ]]; then
        srt_workers=$workers
        srt_write_status
    fi
    ((prefill >= srt_health_prefill && decode >= srt_health_decode))
}
srt_seen='no answer'

# --- stages ----------------------------------------------------------------------------------------------------------------------------

srt_file() { printf '%s' "$2" >"$srt_host_logs/$1" || srt_fail "$srt_host_logs/$1 cannot be written."; }

# Names and addresses of all nodes, by one step and one rule.
srt_find_nodes() {
    local id name address out
    # shellcheck disable=SC2016 # read on the nodes
    out=$(timeout 120 srun --overlap --nodes="$srt_nodes" --ntasks="$srt_nodes" --ntasks-per-node=1 bash "$srt_runtime_host/address.sh" \
        "$srt_interface" </dev/null) || srt_fail "The names and addresses of the nodes could not be found out with srun."
    while read -r id name address; do
        [[ $id =~ ^[0-9]+$ && -n $address ]] || continue
        srt_node[id]=$name srt_address[id]=$address
        srt_say "Node $id is $name, $address"
    done <<<"$out"
    ((${#srt_node[@]} == srt_nodes)) || srt_fail "${#srt_node[@]} of $srt_nodes nodes gave their name and address."
}

srt_write_lock() {
    local fingerprint name first=1 value
    {
        printf '%s\n' "$srt_recipe"
        printf '\n# Written by the job: what ran, where, and with what.\nlock:\n  version: 2\n  generated_at: "%s"\n  slurm:\n' "$(srt_now)"
        for name in job_id:SLURM_JOB_ID job_name:SLURM_JOB_NAME cluster:SLURM_CLUSTER_NAME account:SLURM_JOB_ACCOUNT \
            partition:SLURM_JOB_PARTITION nodelist:SLURM_JOB_NODELIST num_nodes:SLURM_JOB_NUM_NODES gpus_per_node:SLURM_GPUS_PER_NODE \
            cpus_on_node:SLURM_CPUS_ON_NODE num_tasks:SLURM_NTASKS user:SLURM_JOB_USER cwd:SLURM_SUBMIT_DIR; do
            value=${name#*:}
            [[ -n ${!value:-} ]] || continue
            srt_json "${!value}"
            printf '    %s: %s\n' "${name%%:*}" "$REPLY"
        done
        printf '  resolved:\n'
        srt_json "${srt_model_source:-}" && printf '    model_path: %s\n' "$REPLY"
        srt_json "$srt_image" && printf '    container_path: %s\n' "$REPLY"
        srt_json "$srt_host_logs" && printf '    log_dir: %s\n' "$REPLY"
        for fingerprint in "$srt_host_logs"/fingerprint_*.json; do
            [[ -s $fingerprint ]] || continue
            if ((first)); then printf '  fingerprints:\n'; fi
            first=0
            name=${fingerprint##*/fingerprint_}
            printf '    %s: %s\n' "${name%.json}" "$(tr -d '\n' <"$fingerprint")"
        done
    } >"$srt_dir/recipe.lock.yaml.new" && mv -f "$srt_dir/recipe.lock.yaml.new" "$srt_dir/recipe.lock.yaml"
}

# What the results need to be read by themselves.
srt_collect() {
    [[ -d $srt_host_logs ]] || return 0
    srt_write_lock
    cp -f "$srt_dir/$srt_recipe_file" "$srt_dir/${SLURM_JOB_ID:-job}.json" "$srt_dir/sbatch_script.sh" "$srt_host_logs/" 2>/dev/null
    if [[ -s $srt_host_logs/client.out ]]; then read -r srt_client <"$srt_host_logs/client.out"; fi
    rm -rf "$srt_runtime_host"
}

srt_prepare() {
    local base=$srt_output
    [[ -z $base ]] || { srt_expand "$base" && base=$REPLY; }
    srt_dir=${base:-${SLURM_SUBMIT_DIR:-$PWD}/outputs}/${SLURM_JOB_ID:-0}
    srt_host_logs=$srt_dir/logs
    srt_runtime_host=$srt_dir/runtime
    if ! mkdir -p "$srt_host_logs" "$srt_runtime_host"; then
        srt_say "The folder of the job cannot be made: $srt_dir"
        exit 1
    fi
    srt_say "Results go to $srt_dir"
    srt_log=$srt_host_logs/sweep_${SLURM_JOB_ID:-0}.log
    exec >>"$srt_log" 2>&1
    srt_started=$(srt_now)
    trap srt_interrupted TERM INT
    trap 'srt_warned=1; srt_interrupted' USR1
    srt_enter prepare
    # Shells of steps would read start files because of these, as if they were logins.
    unset SSH_CLIENT SSH_CONNECTION SSH_TTY
    cp -f "$0" "$srt_dir/sbatch_script.sh"
    printf '%s' "$srt_recipe" >"$srt_dir/$srt_recipe_file" || srt_fail "$srt_dir/$srt_recipe_file cannot be written."
    printf '%s' "$srt_metadata" >"$srt_dir/${SLURM_JOB_ID:-0}.json"
    srt_runtime_files
    srt_find_nodes

    srt_containers=0
    if [[ -n $srt_image ]]; then
        if srun --help 2>/dev/null | grep -q -- --container-image; then
            srt_containers=1
        else
            srt_say "srun has no --container-image here: the processes run as they are installed, not in $srt_image."
        fi
    fi
    if [[ -n $srt_model_source ]]; then
        srt_expand "$srt_model_source" && srt_model_source=$REPLY
        [[ $srt_model_source == /* ]] || srt_model_source=${SLURM_SUBMIT_DIR:-$PWD}/$srt_model_source
        [[ -d $srt_model_source ]] || srt_fail "$srt_model_key: there is no folder $srt_model_source here."
    fi
    if ((srt_containers)) && [[ $srt_image == /* || $srt_image == ./* ]] && [[ ! -e $srt_image ]]; then
        srt_fail "model.container: there is no file $srt_image here."
    fi
    if ((srt_containers)); then
        srt_logs=/logs srt_model=/model srt_runtime=/srtwb-runtime
        srt_mount "$srt_host_logs" /logs
        [[ -z $srt_model_source ]] || srt_mount "$srt_model_source" /model
        srt_mount "$srt_runtime_host" /srtwb-runtime
        [[ -z $srt_configs ]] || srt_mount "$srt_configs" /configs
        srt_mounts
        export SRTWB_CONFIGS=/configs
    else
        # shellcheck disable=SC2034 # data refer to it
        srt_logs=$srt_host_logs srt_model=$srt_model_source srt_runtime=$srt_runtime_host
        export SRTWB_CONFIGS=$srt_configs
        srt_dynamo='' # what is installed on the host is the user's
    fi
    export SRTWB_LOGS=$srt_logs SRTWB_SETUP=$srt_setup SRTWB_PREAMBLE=$srt_preamble SRTWB_DYNAMO=$srt_dynamo SRTWB_JOB=${SLURM_JOB_ID:-0}
    srt_files
    srt_write_lock
}

srt_wait_for_port() {
    local i
    for ((i = 0; i < 300; i++)); do
        srt_watch
        if srt_listens "$1" "$2"; then return; fi
        srt_sleep 1
    done
    srt_fail "$3 does not listen on $1:$2 after 300 s; see logs/infra.out."
}

srt_start_infra() {
    ((srt_uses_infra)) || return 0
    srt_enter infra
    local program
    for program in nats-server etcd; do
        [[ -x $srt_configs/$program ]] || srt_fail "There is no program $srt_configs/$program, which the frontend needs."
    done
    srt_infra_step
    srt_wait_for_port "${srt_address[srt_infra_node]}" 4222 nats-server
    srt_wait_for_port "${srt_address[srt_infra_node]}" 2379 etcd
}

srt_wait_until_served() {
    srt_enter health
    local attempt second told=0
    for ((attempt = 0; attempt < srt_health_attempts; attempt++)); do
        srt_watch
        if srt_is_served; then
            srt_say "The model is served after $((attempt * srt_health_interval)) s"
            return
        fi
        if ((attempt * srt_health_interval - told >= 60)); then
            told=$((attempt * srt_health_interval))
            srt_say "Not served after $told s: $srt_seen"
        fi
        for ((second = 0; second < srt_health_interval; second++)); do
            srt_sleep 1
            srt_watch
        done
    done
    srt_fail "The model is not served after $((srt_health_attempts * srt_health_interval)) s (health_check): $srt_seen."
}

srt_measure() {
    srt_enter benchmark
    if [[ $srt_benchmark == manual ]]; then
        srt_say "The model is served at http://${srt_address[srt_health_node]}:$srt_port until the job is cancelled or its time is over"
        while :; do
            srt_watch
            srt_sleep 5
        done
    fi
    srt_benchmark_step
    srun "${srt_words[@]}" </dev/null >>"$srt_step_log" 2>&1 &
    srt_measuring=$!
    local status
    while kill -0 "$srt_measuring" 2>/dev/null; do
        srt_watch
        srt_sleep 1
    done
    wait "$srt_measuring"
    status=$?
    srt_measuring=''
    if [[ $status != 0 ]]; then
        srt_say "Last lines of $srt_step_log:"
        tail -n 50 "$srt_step_log"
        srt_end failed "$status" "The benchmark ended with exit code $status; see ${srt_step_log#"$srt_dir/"}."
    fi
}

srt_main() {
    srt_prepare
    srt_start_infra
    srt_enter workers
    srt_worker_steps
    srt_watch
    srt_enter frontend
    srt_frontend_steps
    srt_wait_until_served
    srt_measure
    srt_stage='done'
    srt_end completed 0 ''
}
