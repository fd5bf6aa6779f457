#include "core/remote/clusterfile.h"

#include "core/base/sha256.h"
#include "core/base/text.h"
#include "core/remote/submitter.h"

#include <algorithm>

namespace wb::remote {
namespace {

constexpr std::size_t largest = std::size_t{1} << 20; ///< Bytes; a cluster file has some thousand.
constexpr int noName = 64;
constexpr int notThere = 65;
constexpr std::size_t digits = 64; ///< Of a SHA-256.

} // namespace

Result<RemoteClusterFile> readClusterFile(Transport& transport, std::string_view named, std::stop_token stop)
{
    RemoteCommand command;
    command.title = "read the cluster file";
    if (named.empty())
        // As for Slurm's commands: a login shell may print what it likes around it.
        command.script = "f=$(bash -lc 'printf \"\\n@@%s@@\\n\" \"$SRTSLURM_CONFIG\"' </dev/null 2>/dev/null |"
                         " sed -n 's/^@@\\(.*\\)@@$/\\1/p' | tail -n 1)\n";
    else
        command.script = "f=" + folderWord(named) + "\n";
    command.script += "[ -n \"$f\" ] || exit " + std::to_string(noName) +
                      "\n"
                      "printf '%s\\n' \"$f\"\n"
                      "[ -e \"$f\" ] || exit " +
                      std::to_string(notThere) +
                      "\n"
                      "[ -f \"$f\" ] || { echo 'it is no regular file' >&2; exit 1; }\n" + // a pipe would never end
                      "head -c " +
                      std::to_string(largest + 1) + " <\"$f\" | sha256sum && head -c " + std::to_string(largest + 1) + " <\"$f\"\n";
    const auto outcome = transport.run(command, stop);
    if (!outcome)
        return tl::unexpected<Error>(outcome.error());
    if (outcome->exitCode == noName)
        return failure(ErrorCode::NotFound, "A login shell on " + transport.host() +
                                                " does not tell SRTSLURM_CONFIG; name the cluster file there in the profile.");
    const std::string_view out = outcome->out;
    const std::size_t firstLine = std::min(out.find('\n'), out.size());
    RemoteClusterFile file;
    file.path = out.substr(0, firstLine);
    const std::string where = base::pathInQuotes(file.path) + " on " + transport.host();
    if (outcome->exitCode == notThere)
        return failure(ErrorCode::NotFound, "There is no cluster file " + where + '.');
    if (outcome->exitCode != 0)
        return failure(ErrorCode::Denied, "The cluster file " + where + " cannot be read: " + base::printable(base::trimmed(outcome->err)),
                       outcome->err);
    const std::string_view rest = out.substr(std::min(firstLine + 1, out.size()));
    const std::size_t secondLine = std::min(rest.find('\n'), rest.size());
    file.sha256 = rest.substr(0, std::min(digits, secondLine));
    file.bytes = rest.substr(std::min(secondLine + 1, rest.size()));
    if (file.bytes.size() > largest)
        return failure(ErrorCode::Malformed, "The file " + where + " is larger than 1 MiB: it is no cluster file.");
    if (base::sha256Hex(file.bytes) != file.sha256)
        return failure(ErrorCode::Unreachable, "The cluster file " + where + " did not arrive whole; fetch it again.");
    return file;
}

} // namespace wb::remote
