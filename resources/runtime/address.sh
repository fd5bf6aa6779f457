# Prints the number, the name and the IPv4 address of the node it runs on: the address of the interface that is named, else the one by which
# the default route leaves, else the first private one, else what the resolver says, else the name.

interface=${1:-}
node=${SLURMD_NODENAME:-$(hostname)}
address=''

first() { [[ $address ]] || address=$1; }

if [[ $interface && $(ip -o -4 addr show dev "$interface" 2>/dev/null) =~ inet\ ([0-9.]+) ]]; then first "${BASH_REMATCH[1]}"; fi
if [[ $(ip -4 route get 1.1.1.1 2>/dev/null) =~ src\ ([0-9.]+) ]]; then first "${BASH_REMATCH[1]}"; fi
read -r -a all <<<"$(hostname -I 2>/dev/null)"
for one in "${all[@]}"; do
    if [[ $one =~ ^(10\.|192\.168\.|172\.(1[6-9]|2[0-9]|3[01])\.) ]]; then first "$one"; fi
done
for one in "${all[@]}"; do if [[ $one =~ ^[0-9.]+$ ]]; then first "$one"; fi; done
if [[ $(getent ahostsv4 "$node" 2>/dev/null) =~ ^([0-9.]+) ]]; then first "${BASH_REMATCH[1]}"; fi
first "$node"
printf '%s %s %s\n' "${SLURM_NODEID:-0}" "$node" "$address"
