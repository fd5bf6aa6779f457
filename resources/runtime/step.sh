# Runs one process where it is to run (inside its container when there is one): NAME NEEDS [NAME=VALUE | -NAME]... -- COMMAND...
# NEEDS are words: fingerprint:WORKER, setup, dynamo. From the environment: SRTWB_LOGS, SRTWB_CONFIGS, SRTWB_SETUP, SRTWB_PREAMBLE,
# SRTWB_DYNAMO, SRTWB_JOB.

name=$1 needs=$2
shift 2
here=${BASH_SOURCE[0]%/*}

say() { printf '[%s] %s\n' "$name" "$*"; }
die() {
    say "$*"
    exit 1
}

if [[ -n ${SRTWB_PREAMBLE:-} ]]; then
    # The cluster's own shell text, as its file asks for.
    eval "$SRTWB_PREAMBLE" || die "default_bash_preamble of the cluster file failed."
fi
while (($#)) && [[ $1 != -- ]]; do
    case $1 in
    -*) unset "${1#-}" ;;
    *) export "${1?}" || die "The variable ${1%%=*} cannot be set." ;;
    esac
    shift
done
shift

run_setup() {
    local script
    for script in "$SRTWB_CONFIGS/$SRTWB_SETUP" "$SRTWB_CONFIGS/patches/$SRTWB_SETUP"; do
        if [[ -f $script ]]; then
            bash "$script" || die "setup_script $SRTWB_SETUP ended with exit code $?."
            return
        fi
    done
    die "setup_script: there is no $SRTWB_SETUP in $SRTWB_CONFIGS or its folder patches."
}

pip() { python3 -m pip install --quiet --disable-pip-version-check "$@"; }

# Builds dynamo from source once for the job, in a folder that all nodes see.
build_dynamo() {
    local revision=$1 work=$2
    if mkdir "$work" 2>/dev/null; then
        if (
            set -e
            export DEBIAN_FRONTEND=noninteractive
            if ! command -v protoc || ! command -v git || ! command -v cmake; then
                apt-get update && apt-get install -y git curl build-essential cmake protobuf-compiler libclang-dev
            fi
            if ! command -v cargo; then
                curl --proto '=https' -fsS https://sh.rustup.rs | sh -s -- -y --profile minimal
                export PATH=$HOME/.cargo/bin:$PATH
            fi
            pip maturin
            git clone --quiet https://github.com/ai-dynamo/dynamo "$work/source"
            git -C "$work/source" checkout --quiet "$revision"
            cd "$work/source/lib/bindings/python"
            python3 -m maturin build --release --out "$work/wheels"
        ); then
            : >"$work/done"
        else
            : >"$work/failed"
        fi
    fi
    until [[ -e $work/done ]]; do
        [[ ! -e $work/failed ]] || die "dynamo could not be built from $revision."
        sleep 2
    done
    pip "$work"/wheels/*.whl && pip -e "$work/source"
}

install_dynamo() {
    case $SRTWB_DYNAMO in
    'release '*)
        local version=${SRTWB_DYNAMO#release }
        if python3 -c 'import importlib.metadata as m, sys; sys.exit(m.version("ai-dynamo") != sys.argv[1])' "$version" 2>/dev/null; then return; fi
        say "Installing dynamo $version"
        pip --extra-index-url https://pypi.nvidia.com "ai-dynamo-runtime==$version" "ai-dynamo==$version" ||
            die "dynamo $version could not be installed."
        ;;
    'source '*)
        local revision=${SRTWB_DYNAMO#source }
        say "Installing dynamo from its source, $revision"
        build_dynamo "$revision" "$here/dynamo" || die "dynamo could not be installed from $revision."
        ;;
    esac
}

for need in $needs; do
    case $need in
    setup) [[ -z ${SRTWB_SETUP:-} ]] || run_setup ;;
    dynamo) [[ -z ${SRTWB_DYNAMO:-} ]] || install_dynamo ;;
    fingerprint:*)
        print=$SRTWB_LOGS/fingerprint_${need#*:}.json
        if ! timeout 120 python3 "$here/fingerprint.py" >"$print.new" || ! mv -f "$print.new" "$print"; then
            say "No fingerprint could be taken."
        fi
        ;;
    esac
done
printf '[%s]' "$name"
printf ' %q' "$@"
printf '\n'
exec "$@"
