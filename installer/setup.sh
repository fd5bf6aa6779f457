#!/bin/sh
# Sets SRT Workbench up on Debian or Ubuntu: "sh installer/setup.sh help" says how.
#
# POSIX sh, works from any folder, may be repeated, asks nothing, and reaches nothing but the package archive that apt is set up for.
# To add a package: a row in packages().
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
root=${here%/installer}
HOME=${HOME:-$(getent passwd "$(id -u)" | cut -d: -f6)}
export HOME

usage() {
    cat <<'HELP'
Usage: sh installer/setup.sh COMMAND

  run     install what is missing, build, and open the workbench on the sample workspace;
          without a display: do its main job with srtwb and say where the results are
  test    install what is missing, build and run every test
  build   install what is missing and build (build/release/bin)
  deps    install what is missing
  help    this text

Packages come from the archive that apt is set up for; as a user, sudo installs them. KSyntaxHighlighting for Qt 6, where the archive has
no package of it (Debian 12), is built once from the archive's source package into srt-workbench/ below your cache folder (XDG_CACHE_HOME,
else ~/.cache); delete that folder at will. SRTWB_JOBS=N sets how many compilers run at once.
HELP
}

say() { printf '%s\n' "== $*" >&2; }
die() {
    printf '%s\n' "setup.sh: $*" >&2
    exit 1
}

# --- packages ------------------------------------------------------------------------------------------------------------------------

# A row: what it is for, a function that sees it is there whatever package it came from (or "-"), then its names: the first that apt knows
# is taken, since Debian 12, Debian 13 and Ubuntu 24.04 differ. "-" as the last name: not needed where no name is known.
packages() {
    cat <<'TABLE'
build   -           g++
build   -           cmake
build   -           ninja-build
build   -           ccache
build   -           pkg-config pkgconf
build   -           libyaml-dev
build   -           libyaml-cpp-dev
build   -           libcli11-dev
build   -           libexpected-dev
build   -           rapidjson-dev
build   -           nettle-dev
build   -           libarchive-dev
build   -           qt6-base-dev
build   qt_opengl   libqt6opengl6-dev -
build   -           qt6-charts-dev libqt6charts6-dev
build   -           qt6-svg-dev libqt6svg6-dev
build   -           qtkeychain-qt6-dev
build   -           libkf6syntaxhighlighting-dev -
build   -           libqt6sql6-sqlite
build   svg_icons   qt6-svg-plugins -
build   -           libsecret-1-0
build   -           fonts-dejavu-core
run     -           qt6-wayland -
source  -           extra-cmake-modules
source  -           perl
test    -           libgtest-dev
test    -           libgmock-dev
test    -           libbenchmark-dev
test    -           xvfb
test    -           xauth
test    -           desktop-file-utils
test    -           appstream
test    -           shellcheck
TABLE
}

# Debian 12 forgets it as a dependency of qt6-charts-dev; Debian 13 has it inside qt6-base-dev.
qt_opengl() { any /usr/lib/*/cmake/Qt6OpenGL/Qt6OpenGLConfig.cmake; }
# Debian 12 has the plugin inside libqt6svg6; without it icons are blank.
svg_icons() { any /usr/lib/*/qt6/plugins/imageformats/libqsvg.so; }
any() { [ -e "$1" ]; }

# Reads what dpkg has into $installed: names between blanks.
read_installed() {
    arch=$(dpkg --print-architecture)
    # shellcheck disable=SC2016 # the fields are dpkg-query's
    installed=" $(dpkg-query -W -f '${db:Status-Status} ${Architecture} ${Package}\n' |
        sed -n -e "s/^installed $arch //p" -e 's/^installed all //p' | tr '\n' ' ')"
}

is_installed() {
    case $installed in *" $1 "*) return 0 ;; *) return 1 ;; esac
}

# Prints the names of each row of the groups given that is not there yet, a row per line.
missing_rows() {
    packages | while read -r group seen names; do
        case " $* " in *" $group "*) ;; *) continue ;; esac
        if [ "$seen" != - ] && "$seen"; then continue; fi
        # The package is named only on distributions that have it: elsewhere there is our own build of it.
        if [ "$names" = "libkf6syntaxhighlighting-dev -" ] && have_highlighting; then continue; fi
        there=no
        for name in $names; do
            if is_installed "$name"; then there=yes; fi
        done
        if [ $there = no ]; then printf '%s\n' "$names"; fi
    done
}

# From rows on its input to package names; names no package is known for go to standard error, and the result is 1.
known_names() {
    rows=$(cat)
    # shellcheck disable=SC2086 # a list of names
    known=" $(apt-cache show --no-all-versions $rows 2>/dev/null | sed -n 's/^Package: //p' | sort -u | tr '\n' ' ')"
    printf '%s\n' "$rows" | (
        unknown=0
        while read -r names; do
            for name in $names; do
                case $known in *" $name "*) printf '%s\n' "$name" && continue 2 ;; esac
                if [ "$name" = - ]; then continue 2; fi
            done
            printf '%s\n' "setup.sh: the package archive has none of: $names" >&2
            unknown=1
        done
        exit $unknown
    )
}

have_lists() {
    lists=
    eval "$(apt-config shell lists Dir::State::lists/d)"
    any "$lists"*_Packages*
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo -- "$@"; fi
}

apt() {
    as_root env DEBIAN_FRONTEND=noninteractive NEEDRESTART_MODE=l apt-get -q -y -o DPkg::Lock::Timeout=600 -o Acquire::Retries=3 \
        -o Dpkg::Use-Pty=0 -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold "$@" </dev/null >&2
}

updated=no
apt_update() {
    if [ $updated = yes ]; then return; fi
    updated=yes
    say "Reading the package lists"
    # One broken source of many must not stop us: what matters is whether the names are known afterwards.
    apt update || say "apt-get update had errors; trying with the lists as they are"
}

install_groups() {
    read_installed
    rows=$(missing_rows "$@")
    if [ -z "$rows" ]; then return; fi
    if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
        die "packages are missing and there is no sudo; as root, run: sh \"$here/setup.sh\" deps
(wanted: $(printf '%s' "$rows" | tr '\n' ',' | sed 's/,/, /g'))"
    fi
    if ! have_lists; then apt_update; fi
    if ! names=$(printf '%s\n' "$rows" | known_names 2>/dev/null); then
        apt_update
        names=$(printf '%s\n' "$rows" | known_names) || die "needed packages are unknown to apt; are the sources of apt complete?"
    fi
    if [ -z "$names" ]; then return; fi
    # shellcheck disable=SC2086 # a list of names
    say "Installing" $names
    # shellcheck disable=SC2086 # a list of names
    if ! apt install --no-install-recommends $names; then
        # The usual reason: the lists name versions that the archive has replaced since.
        apt_update
        # shellcheck disable=SC2086 # a list of names
        apt install --no-install-recommends $names || die "apt-get could not install: $(printf '%s ' $names)"
    fi
    read_installed
}

# --- KSyntaxHighlighting -------------------------------------------------------------------------------------------------------------

set_cache() {
    cache=${XDG_CACHE_HOME:-$HOME/.cache}/srt-workbench
    prefix=$cache/ksyntaxhighlighting-qt6
}
set_cache

have_own_highlighting() { [ -e "$prefix/lib/cmake/KF5SyntaxHighlighting/KF5SyntaxHighlightingConfig.cmake" ]; }
have_highlighting() { is_installed libkf6syntaxhighlighting-dev || have_own_highlighting; }

# Prints "URI SUITE COMPONENT KEYRING" of each archive that may have the source: the distribution's own suites, then, on Debian, that of
# Debian 13, from the same archive.
source_archives() {
    # shellcheck disable=SC2016 # the fields are apt's
    targets=$(apt-get indextargets --format '$(ORIGIN) $(REPO_URI) $(RELEASE) $(COMPONENT) $(SIGNED_BY)' 'Identifier: Packages' | sort -u)
    # shellcheck disable=SC1091
    codename=$(. /etc/os-release && printf '%s' "${VERSION_CODENAME:-}")
    for suite in "$codename" trixie; do
        printf '%s\n' "$targets" | while read -r origin uri release component keyring; do
            # A keyring is a file or a fingerprint; anything else (none, or a key in the sources file) leaves it to apt's trusted keys.
            case $keyring in *[!A-Za-z0-9/._-]* | '') keyring=- ;; esac
            if [ "$release" = "$codename" ] && { [ "$suite" = "$codename" ] || [ "$origin" = Debian ]; }; then
                printf '%s\n' "$uri $suite $component $keyring"
            fi
        done
    done
}

# Fetches the upstream archive of the source package into the current folder. apt checks its hash against the signed index; nothing of the
# system's own apt is changed.
fetch_source() {
    source_archives | while read -r uri suite component keyring; do
        case $component in main | universe) ;; *) continue ;; esac
        signed=
        if [ "$keyring" != - ]; then signed="[signed-by=$keyring] "; fi
        rm -rf apt
        mkdir -p apt/lists/partial apt/cache/archives/partial
        printf '%s\n' "deb-src $signed$uri $suite $component" >apt/sources.list
        private_apt update >>log 2>&1 || continue
        if private_apt source --tar-only ksyntax-highlighting >>log 2>&1; then break; fi
    done
    ls ksyntax-highlighting_*.tar.* >/dev/null 2>&1
}

private_apt() {
    apt-get -q -o Dir::Etc::sourcelist="$PWD/apt/sources.list" -o Dir::Etc::sourceparts=- -o Dir::State::lists="$PWD/apt/lists" \
        -o Dir::Cache="$PWD/apt/cache" -o APT::Sandbox::User="$(id -un)" -o Acquire::Retries=3 "$@" </dev/null
}

# Builds it for Qt 6 into $prefix. The folder gets its name only when everything in it is there, so an interrupted build leaves nothing that
# a later one would take for good.
build_highlighting() {
    say "Building KSyntaxHighlighting for Qt 6 from the archive's source package (once, a minute or two)"
    mkdir -p "$cache"
    find "$cache" -maxdepth 1 -name 'build.*' -mtime +0 -exec rm -rf {} +
    work=$(mktemp -d "$cache/build.XXXXXX")
    trap 'rm -rf "$work"' EXIT
    trap 'exit 130' HUP INT TERM
    (cd "$work" && fetch_source) || {
        cat "$work/log" >&2
        die "the package archive does not give the source of ksyntax-highlighting"
    }
    (
        cd "$work"
        cmake -E tar xf ksyntax-highlighting_*.tar.*
        src=$(echo ./*/CMakeLists.txt)
        src=${src%/CMakeLists.txt}
        # It asks for its own release of extra-cmake-modules and does with that of Debian 12. Translations need tools for nothing we show.
        sed -i 's/^find_package(ECM [0-9.]*/find_package(ECM 5.103/' "$src/CMakeLists.txt"
        rm -rf "$src/poqm" "$src/po"
        cmake -S "$src" -B b -G Ninja -DQT_MAJOR_VERSION=6 -DBUILD_TESTING=OFF -DBUILD_QCH=OFF -DCMAKE_BUILD_TYPE=Release \
            -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_INSTALL_LIBDIR=lib
        cmake --build b --parallel "$(jobs_at_once)"
        DESTDIR=$work/out cmake --install b
    ) >"$work/log" 2>&1 || {
        tail -n 40 "$work/log" >&2
        die "KSyntaxHighlighting for Qt 6 could not be built"
    }
    # Another run may have been quicker: then its result stands.
    mv -T "$work/out$prefix" "$prefix" 2>/dev/null || have_own_highlighting || die "\"$prefix\" is in the way: remove it and try again"
    rm -rf "$work"
    trap - EXIT HUP INT TERM
    have_own_highlighting || die "the build of KSyntaxHighlighting left no CMake package in \"$prefix\""
}

# --- build and use -------------------------------------------------------------------------------------------------------------------

# As many compilers as there are cores, and no more than the memory holds.
jobs_at_once() {
    if [ -n "${SRTWB_JOBS:-}" ]; then
        printf '%s\n' "$SRTWB_JOBS"
        return
    fi
    cores=$(nproc)
    gib=$(sed -n 's/^MemTotal: *\([0-9]*\) kB/\1/p' /proc/meminfo)
    fit=$((gib / 1500000))
    if [ "$fit" -lt 1 ]; then fit=1; fi
    if [ "$fit" -lt "$cores" ]; then printf '%s\n' "$fit"; else printf '%s\n' "$cores"; fi
}

deps() {
    if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
        die "this script installs Debian packages and there is no apt here; README.md says what to install by hand"
    fi
    step_down=no
    take_users_part
    install_groups build "$@"
    if ! have_highlighting; then
        install_groups source
        hand_over
        build_highlighting
    fi
    hand_over
}

# Called by "sudo sh installer/setup.sh" in a user's own tree: packages are installed as root, all else is done as that user, so that no
# file of root's is left in the tree and the window opens as its user.
take_users_part() {
    if [ "$(id -u)" -ne 0 ] || [ "${SUDO_USER:-root}" = root ] || [ "$(stat -c %U "$root")" != "$SUDO_USER" ]; then return; fi
    step_down=yes
    HOME=$(getent passwd "$SUDO_USER" | cut -d: -f6)
    unset XDG_CACHE_HOME XDG_DATA_HOME XDG_CONFIG_HOME XDG_STATE_HOME XDG_RUNTIME_DIR
    if [ -d "/run/user/$SUDO_UID" ]; then export XDG_RUNTIME_DIR="/run/user/$SUDO_UID"; fi
    set_cache
}

hand_over() {
    if [ $step_down = no ]; then return; fi
    exec runuser -u "$SUDO_USER" -- env HOME="$HOME" USER="$SUDO_USER" LOGNAME="$SUDO_USER" sh "$here/setup.sh" "$command"
}

# Configures and builds a preset; further arguments go to CMake.
build() {
    preset=$1
    shift
    if have_own_highlighting; then set -- "$@" "-DCMAKE_PREFIX_PATH=$prefix"; fi
    cd "$root"
    say "Building ($preset)"
    cmake --preset "$preset" "$@"
    cmake --build --preset "$preset" --parallel "$(jobs_at_once)"
}

# What users get, without the tests. A compiler that warns of more than those we know must not keep anybody from the program.
build_release() { build release -DSRTWB_TESTS=OFF -DSRTWB_WERROR=OFF; }

# Shows the command and runs it; paths are relative to the tree, so that they hold no blanks and can be copied.
srtwb() {
    printf '\n$ build/release/bin/srtwb %s\n' "$*"
    build/release/bin/srtwb "$@"
}

# The main job without a window. The cluster is the example one: nothing is reached.
without_display() {
    say "There is no display here (neither DISPLAY nor WAYLAND_DISPLAY is set): doing the main job with srtwb instead of opening the window"
    cd "$root"
    recipe=recipes/dsr1-disagg-chunked-prefill.yaml
    cluster=recipes/cluster/srtslurm.yaml
    rm -rf build/sample/jobs
    mkdir -p build/sample
    srtwb check --cluster "$cluster" recipes
    srtwb expand --cluster "$cluster" "$recipe"
    srtwb dry-run --cluster "$cluster" "$recipe" --out build/sample/jobs
    srtwb import --catalogue build/sample/catalogue.sqlite resources/samples
    srtwb pareto --catalogue build/sample/catalogue.sqlite --group run --png build/sample/frontier.png
    cat <<DONE

Done with the sample workspace:
  job scripts and their files  $root/build/sample/jobs
  catalogue of sample results  $root/build/sample/catalogue.sqlite
  Pareto chart                 $root/build/sample/frontier.png
The programs are in $root/build/release/bin; with a display, the same command opens the workbench.
DONE
}

run() {
    deps run
    build_release
    if [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
        without_display
    else
        say "Opening the workbench"
        exec "$root/build/release/bin/srt-workbench" --sample
    fi
}

# A real sshd and Slurm on loopback, for the tests labelled "cluster". Only where its script stands beside the tree, and as root, which it
# needs; without it these tests skip themselves and say so.
testbed() {
    script=$root/../shared/testbed/slurm-testbed.sh
    if [ ! -f "$script" ] || [ "$(id -u)" -ne 0 ]; then return; fi
    say "Installing what the cluster tests need"
    bash "$script" install </dev/null >&2 || say "It could not be installed: the cluster tests will skip themselves"
}

# The developer build: quick to compile, asserts on.
run_tests() {
    deps test
    testbed
    build dev
    # The same on every machine: Qt wants a UTF-8 locale and a private runtime folder.
    runtime=$root/build/dev/runtime
    mkdir -p "$runtime"
    chmod 700 "$runtime"
    LC_ALL=C.UTF-8 XDG_RUNTIME_DIR=$runtime ctest --preset dev --parallel "$(jobs_at_once)"
}

command=${1:-help}
case $command in
run) run ;;
test) run_tests ;;
build)
    deps
    build_release
    ;;
deps) deps ;;
help | -h | --help) usage ;;
*)
    usage >&2
    exit 2
    ;;
esac
