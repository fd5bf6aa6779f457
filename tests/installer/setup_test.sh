#!/bin/sh
# setup_test.sh SETUP: what installer/setup.sh does with packages, on a made-up system. apt, dpkg, sudo and id are stand-ins that read and
# write files below $fake: "installed" and "archive" (names of packages, a line each), "lists/" (apt's lists), "calls" (what was run).
set -u

setup=$1
fake=$(mktemp -d)
trap 'rm -rf "$fake"' EXIT
failures=0

expect() { # expect WHAT COMMAND...
    what=$1
    shift
    if "$@"; then
        echo "ok: $what"
    else
        echo "FAILED: $what"
        sed 's/^/    | /' "$fake/out" "$fake/calls"
        failures=$((failures + 1))
    fi
}
says() { grep -q -e "$1" "$fake/out"; }
called() { grep -q -e "$1" "$fake/calls"; }
never_called() { ! called "$1"; }
calls_of() { [ "$(grep -c -e "$1" "$fake/calls")" -eq "$2" ]; }
ended_with() { [ "$status" -eq "$1" ]; }

stand_in() {
    { echo '#!/bin/sh' && cat; } >"$fake/bin/$1"
    chmod +x "$fake/bin/$1"
}

# A clean system with nothing installed and everything in the archive, and the user given.
system() {
    rm -rf "${fake:?}"/*
    mkdir -p "$fake/bin" "$fake/lists" "$fake/home" "$fake/a tree/installer"
    cp "$setup" "$fake/a tree/installer/"
    : >"$fake/installed"
    : >"$fake/calls"
    : >"$fake/lists/some_Packages"
    sed -n '/^packages()/,/^TABLE$/p' "$setup" | sed -n 's/^\(build\|run\|test\|source\) *[^ ]* *\([^ ]*\).*/\2/p' >"$fake/archive"
    stand_in id <<IN
case \$1 in -u) echo $1 ;; *) echo somebody ;; esac
IN
    stand_in dpkg <<'IN'
echo amd64
IN
    stand_in dpkg-query <<'IN'
sed 's/^/installed amd64 /' "$FAKE/installed"
IN
    stand_in apt-config <<'IN'
echo "lists='$FAKE/lists/'"
IN
    stand_in apt-cache <<'IN'
[ -n "$(ls "$FAKE/lists")" ] || exit 100
for name; do
    grep -qx -e "$name" "$FAKE/archive" && printf 'Package: %s\nVersion: 1\n\n' "$name"
done
exit 0
IN
    stand_in apt-get <<'IN'
echo "apt-get $*" >>"$FAKE/calls"
echo "DEBIAN_FRONTEND=${DEBIAN_FRONTEND:-}" >>"$FAKE/calls"
case " $* " in
*" update "*)
    : >"$FAKE/lists/some_Packages"
    if [ -e "$FAKE/archive.new" ]; then mv "$FAKE/archive.new" "$FAKE/archive"; fi
    rm -f "$FAKE/stale"
    ;;
*" install "*)
    [ ! -e "$FAKE/stale" ] || exit 100
    for name; do
        if grep -qx -e "$name" "$FAKE/archive"; then echo "$name" >>"$FAKE/installed"; fi
    done
    ;;
esac
IN
    stand_in sudo <<'IN'
echo "sudo $*" >>"$FAKE/calls"
shift
exec "$@"
IN
}

# Runs the script on that system, from a folder of its own.
run() {
    : >"$fake/calls"
    (cd "$fake/home" && env -u XDG_CACHE_HOME -u SUDO_USER FAKE="$fake" HOME="$fake/home" PATH="$fake/bin:$PATH" \
        sh "$fake/a tree/installer/setup.sh" "$@") >"$fake/out" 2>&1 </dev/null
    status=$?
}

system 0
run help
expect "help tells the commands" says 'installer/setup.sh COMMAND'
expect "help is no failure" ended_with 0
run nonsense
expect "an unknown command is told apart" ended_with 2

run deps
expect "deps succeeds as root" ended_with 0
expect "what is missing is installed" called ' install .*g++.*qt6-base-dev'
expect "nobody is asked anything" called 'DEBIAN_FRONTEND=noninteractive'
expect "lists that are there are not read anew" never_called ' update'
expect "root needs no sudo" never_called '^sudo'
expect "tests' packages are for tests" never_called 'shellcheck'
run deps
expect "a second run does nothing" calls_of . 0

system 0
rm -f "$fake"/lists/*
run deps
expect "absent lists are read" called ' update'
expect "and then it installs" called ' install .*g++'
expect "and succeeds" ended_with 0

system 0
sed -i 's/^qt6-charts-dev$/libqt6charts6-dev/' "$fake/archive"
run deps
expect "the second name is taken where the first is unknown" called ' install .*libqt6charts6-dev'
expect "the unknown one is not" never_called ' qt6-charts-dev'

system 0
cp "$fake/archive" "$fake/archive.new"
sed -i '/^libcli11-dev$/d' "$fake/archive"
run deps
expect "an unknown name makes it read the lists, once" calls_of ' update' 1
expect "after which the name is known" called ' install .*libcli11-dev'

system 0
sed -i '/^libcli11-dev$/d' "$fake/archive"
run deps
expect "a name that stays unknown is a failure" ended_with 1
expect "that names it" says 'none of: libcli11-dev'

system 0
: >"$fake/stale"
run deps
expect "an install that fails is tried again with new lists" calls_of ' install ' 2
expect "and then succeeds" ended_with 0

system 1000
run deps
expect "a user's packages go through sudo" called '^sudo -- env DEBIAN_FRONTEND=noninteractive .*apt-get'
expect "which succeeds" ended_with 0

system 1000
mkdir "$fake/path"
for tool in sh sed tr cut cat dirname grep sort getent stat env ls; do ln -s "$(command -v $tool)" "$fake/path/"; done
rm "$fake/bin/sudo"
(cd "$fake/home" && env -u XDG_CACHE_HOME FAKE="$fake" HOME="$fake/home" PATH="$fake/bin:$fake/path" \
    sh "$fake/a tree/installer/setup.sh" deps) >"$fake/out" 2>&1 </dev/null
status=$?
expect "without root and sudo it stops" ended_with 1
expect "and says what to do" says 'as root, run: sh ".*setup.sh" deps'

if [ $failures -ne 0 ]; then
    echo "$failures failed"
    exit 1
fi
