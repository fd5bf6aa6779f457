#!/bin/bash
#SBATCH --job-name=r1-disagg
#SBATCH --output=/shared/out puts/%j/logs/sweep_%j.log
#SBATCH --nodes=3
#SBATCH --ntasks=3
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=8
#SBATCH --segment=3
#SBATCH --account=acct
#SBATCH --time=04:00:00
#SBATCH --partition=batch

# Predicted: srtctl writes the script itself, on the cluster. It asks for the same directives; the lines below do
# what its script does, in other words.
# Recipe: recipes/r1.yaml

set -e
exec 2>&1

export SRTCTL_OUTPUT_DIR='/shared/out puts'/"$SLURM_JOB_ID"
export SRTCTL_SOURCE_DIR=/opt/srt-slurm
mkdir -p "$SRTCTL_OUTPUT_DIR/logs"

# From the recipe.
export DYNAMO_WHEEL_NAME=ai_dynamo-1.2.0-py3-none-any.whl
export DYNAMO_VERSION=1.2.0
export GREETING='it'\''s a $HOME'
export EMPTY=''

export PATH="$SRTCTL_SOURCE_DIR/bin:$HOME/.local/bin:$PATH"
export UV_PROJECT_ENVIRONMENT="$SRTCTL_SOURCE_DIR/.venv-compute"
if ! command -v uv > /dev/null; then
    echo "uv was not found in $SRTCTL_SOURCE_DIR/bin"
    exit 1
fi

# The wheel of dynamo is fetched here, as compute nodes may have no way out.
wheels="$SRTCTL_SOURCE_DIR/src/srtctl/runtime_scripts/dynamo_wheels.py"
if [ -n "${DYNAMO_WHEEL_NAME:-}" ] || [ "${SRTCTL_PREFETCH_AI_DYNAMO:-0}" = 1 ]; then
    [ ! -f "$wheels" ] || uv run --no-project --python "${DYNAMO_PYTHON_VERSION:-3.12}" --with pip python "$wheels" prefetch
fi

cd "$SRTCTL_SOURCE_DIR"
flock -x .venv-compute.lock uv sync --python 3.12 --no-dev
status=0
uv run --python 3.12 --no-dev --no-sync -m srtctl.cli.do_sweep "$SRTCTL_OUTPUT_DIR"/config.yaml || status=$?
exit "$status"
