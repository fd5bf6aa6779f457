#include "core/render/jobscript.h"

#include "core/base/shell.h"
#include "core/base/text.h"
#include "core/plan/paths.h"

#include <algorithm>

namespace wb::render {

namespace {

std::string introduction(const recipe::Job& job, const Context& context)
{
    std::string out =
        "\n# Predicted: srtctl writes the script itself, on the cluster. It asks for the same directives; the lines below do\n"
        "# what its script does, in other words.\n";
    if (!context.sourcePath.empty())
        out += "# Recipe: " + base::printable(context.sourcePath) +
               (context.suffix.empty() ? "" : ", variant " + base::printable(context.suffix)) + "\n";
    if (!job.account || job.account->empty())
        out += "# No account is named by the recipe or a cluster file: srtctl takes $SLURM_ACCOUNT or the word \"default\".\n";
    if (!job.partition || job.partition->empty())
        out += "# No partition is named by the recipe or a cluster file: srtctl takes $SLURM_PARTITION or the word \"default\".\n";
    return out;
}

std::string exportLines(const recipe::Job& job)
{
    std::string out;
    for (const Variable& variable : exports(job))
        out += "export " + variable.name + "=" + base::shellQuoted(variable.value) + "\n";
    return out;
}

} // namespace

std::string recipeFile(const Context& context)
{
    if (context.suffix.empty())
        return "config.yaml";
    std::string suffix = context.suffix; // a name of the recipe's author must not lead to another folder
    std::replace_if(
        suffix.begin(), suffix.end(), [](char c) { return c == '/' || c == '\\' || static_cast<unsigned char>(c) < 0x20; }, '_');
    return "config_" + suffix + ".yaml";
}

std::string predictedJobScript(const recipe::Job& job, const recipe::Cluster& cluster, const Context& context)
{
    std::string out = "#!/bin/bash\n";
    for (const std::string& directive : directives(job, cluster))
        out += (directive == "hetjob" ? "#SBATCH " : "#SBATCH --") + directive + "\n";
    out += introduction(job, context);
    out += "\nset -e\n"
           "exec 2>&1\n\n"
           "export SRTCTL_OUTPUT_DIR=" +
           base::shellQuoted(plan::outputBase(cluster)) +
           "/\"$SLURM_JOB_ID\"\n"
           "export SRTCTL_SOURCE_DIR=" +
           base::shellQuoted(plan::srtctlRoot(cluster)) +
           "\n"
           "mkdir -p \"$SRTCTL_OUTPUT_DIR/logs\"\n";
    if (const std::string lines = exportLines(job); !lines.empty())
        out += "\n# From the recipe.\n" + lines;
    out += "\nexport PATH=\"$SRTCTL_SOURCE_DIR/bin:$HOME/.local/bin:$PATH\"\n"
           "export UV_PROJECT_ENVIRONMENT=\"$SRTCTL_SOURCE_DIR/.venv-compute\"\n"
           "if ! command -v uv > /dev/null; then\n"
           "    echo \"uv was not found in $SRTCTL_SOURCE_DIR/bin\"\n"
           "    exit 1\n"
           "fi\n\n"
           "# The wheel of dynamo is fetched here, as compute nodes may have no way out.\n"
           "wheels=\"$SRTCTL_SOURCE_DIR/src/srtctl/runtime_scripts/dynamo_wheels.py\"\n"
           "if [ -n \"${DYNAMO_WHEEL_NAME:-}\" ] || [ \"${SRTCTL_PREFETCH_AI_DYNAMO:-0}\" = 1 ]; then\n"
           "    [ ! -f \"$wheels\" ] || uv run --no-project --python \"${DYNAMO_PYTHON_VERSION:-3.12}\" --with pip python \"$wheels\" "
           "prefetch\n"
           "fi\n\n"
           "cd \"$SRTCTL_SOURCE_DIR\"\n"
           "flock -x .venv-compute.lock uv sync --python 3.12 --no-dev\n"
           "status=0\n"
           "uv run --python 3.12 --no-dev --no-sync -m srtctl.cli.do_sweep \"$SRTCTL_OUTPUT_DIR\"/" +
           base::shellQuoted(recipeFile(context)) +
           " || status=$?\n"
           "exit \"$status\"\n";
    return out;
}

} // namespace wb::render
