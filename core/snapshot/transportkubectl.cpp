#include "core/snapshot/transportkubectl.h"

#include "core/base/shell.h"
#include "core/base/text.h"

#include <utility>

namespace wb::snapshot {

namespace {

constexpr int notExecutable = 126; ///< As POSIX shells say it.
constexpr int notFound = 127;

/// "kubectl get podsnapshot x": the words that say what is done, without the options.
std::string titleOf(const std::vector<std::string>& arguments)
{
    std::string out = "kubectl";
    for (const std::string& word : arguments) {
        if (!word.starts_with('-'))
            out += ' ' + word;
    }
    return out;
}

} // namespace

TransportKubectl::TransportKubectl(std::shared_ptr<remote::Transport> transport, std::string program)
    : m_transport(std::move(transport))
    , m_program(std::move(program))
{
}

Result<KubectlOutcome> TransportKubectl::run(const std::vector<std::string>& arguments, std::string_view input, std::stop_token stop)
{
    remote::RemoteCommand command;
    command.title = titleOf(arguments);
    command.script = base::shellQuoted(m_program);
    for (const std::string& word : arguments)
        command.script += ' ' + base::shellQuoted(word);
    command.script += '\n';
    command.input = std::string(input);
    auto outcome = m_transport->run(command, std::move(stop));
    if (!outcome)
        return tl::unexpected(std::move(outcome.error()));
    if (outcome->exitCode == notFound || outcome->exitCode == notExecutable) {
        return failure(ErrorCode::NotFound,
                       base::inQuotes(m_program) + " cannot be run on " + host() + "; it must be installed there and on the PATH.",
                       outcome->err);
    }
    return KubectlOutcome{outcome->exitCode, std::move(outcome->out), std::move(outcome->err)};
}

} // namespace wb::snapshot
