# Runs nats-server and etcd until one of them ends or both are stopped: FOLDER ADDRESS [PAYLOAD-IN-BYTES]. Their data is of this job alone.

folder=$1 address=$2 payload=${3:-}
data=$(mktemp -d "${TMPDIR:-/tmp}/srtwb-infra-XXXXXX") || exit 1
children=()

finish() {
    trap : TERM INT
    for child in "${children[@]}"; do kill -TERM "$child" 2>/dev/null; done
    wait
    rm -rf "$data"
    exit "$1"
}
trap 'finish 143' TERM INT

nats=("$folder/nats-server" -js -sd "$data/nats")
if [[ -n $payload ]]; then
    printf 'max_payload: %s\njetstream { store_dir: "%s" }\n' "$payload" "$data/nats" >"$data/nats.conf"
    nats=("$folder/nats-server" -c "$data/nats.conf")
fi
"${nats[@]}" &
children+=("$!")
"$folder/etcd" --data-dir "$data/etcd" --listen-client-urls http://0.0.0.0:2379 --advertise-client-urls "http://$address:2379" &
children+=("$!")
while kill -0 "${children[0]}" 2>/dev/null && kill -0 "${children[1]}" 2>/dev/null; do
    sleep 1 &
    wait "$!"
done
echo "nats-server or etcd ended."
finish 1
