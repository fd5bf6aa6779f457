#!/bin/sh
# tool.sh TOOL COMMAND...: runs the command; 77 (skipped) with a message where the tool that it needs is not there.
tool=$1
shift
if ! command -v "$tool" >/dev/null; then
    echo "skipped: $tool is not installed here (sh installer/setup.sh test installs it)"
    exit 77
fi
exec "$@"
