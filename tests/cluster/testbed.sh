#!/usr/bin/env bash
# Starts or ends the real sshd and Slurm on loopback that the tests here need: testbed.sh up|down SCRIPT ENVFILE
# Exit code 77, with a message, where it cannot be: then the tests skip themselves.
set -euo pipefail

command=$1 script=$2 env=$3

skip() {
    rm -f "$env"
    printf 'The cluster tests are skipped: %s\n' "$*" >&2
    exit 77
}

[[ -f $script ]] || skip "there is no $script."
((EUID == 0)) || skip "sshd and slurmd must be started as root."
for program in /usr/sbin/sshd /usr/sbin/slurmctld /usr/sbin/munged; do
    [[ -x $program ]] || skip "$program is not installed (\"$script install\" does that)."
done
id bench >/dev/null 2>&1 || skip "its test users are not there (\"$script install\" makes them)."

# One for each build folder, so that builds beside each other do not meet.
SLURM_TESTBED_DIR=/tmp/srtwb-testbed-$(printf %s "$env" | sha256sum | cut -c1-8)
# Slurm's commands give up on a mute controller soon, so that no test waits long.
SLURM_TESTBED_MESSAGE_TIMEOUT=3
export SLURM_TESTBED_DIR SLURM_TESTBED_MESSAGE_TIMEOUT

case $command in
up)
    out=$(bash "$script" up) || skip "the testbed did not start."
    printf '%s\nSLURM_TESTBED_SCRIPT=%s\n' "$out" "$script" >"$env.new"
    mv "$env.new" "$env"
    ;;
down)
    rm -f "$env"
    bash "$script" down
    ;;
*)
    echo "testbed.sh: $command?" >&2
    exit 2
    ;;
esac
