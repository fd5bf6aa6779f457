#!/bin/sh
# tool.sh TOOL ARGUMENT...: runs it; 77 (skipped) with a message where the tool is not there.
if ! command -v "$1" >/dev/null; then
    echo "skipped: $1 is not installed here (sh installer/setup.sh test installs it)"
    exit 77
fi
exec "$@"
