#include "core/remote/logtail.h"

#include "core/base/shell.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>

namespace wb::remote {

namespace {

constexpr std::array rows = {
    LogSign{"out-of-memory-gpu", "CUDA out of memory",
            "A GPU ran out of memory: lower the memory fraction, the batch size or the context length."},
    LogSign{"out-of-memory-gpu-torch", "torch.OutOfMemoryError", "A GPU ran out of memory: lower the memory fraction or the batch size."},
    LogSign{"out-of-memory-host", "oom-kill", "A node ran out of memory, and the kernel ended a process."},
    LogSign{"out-of-memory-step", "Out Of Memory", "Slurm ended a step that took more memory than it had asked for."},
    LogSign{"time-limit", "DUE TO TIME LIMIT", "The job ran into its time limit; what it wrote before is there."},
    LogSign{"cancelled", "CANCELLED AT", "The job was cancelled."},
    LogSign{"node-failure", "DUE TO NODE FAILURE", "A node of the job failed."},
    LogSign{"nccl", "NCCL error", "The GPUs could not talk to each other; look at the network interface and the NCCL variables."},
    LogSign{"nccl-watchdog", "Watchdog caught collective operation timeout", "A GPU waited for others that had ended or hung."},
    LogSign{"address-in-use", "Address already in use", "A port is taken by another process on that node."},
    LogSign{"no-space", "No space left on device", "A disk is full."},
    LogSign{"image", "pyxis: failed to import", "The container image could not be fetched."},
    LogSign{"image-missing", "enroot-import", "The container image could not be fetched."},
    LogSign{"model-missing", "does not appear to have a file named", "The model's folder lacks a file, or its id is wrong."},
    LogSign{"module-missing", "ModuleNotFoundError", "A Python package is missing in the container."},
    LogSign{"segmentation", "Segmentation fault", "A program crashed."},
    LogSign{"traceback", "Traceback (most recent call last)", "A Python program failed; the last line of the traceback says how."},
};

constexpr std::string_view tailFunctions = R"sh(piece() {
if [ -f "$1" ] && [ -r "$1" ]; then
size=$(wc -c <"$1") from=$2
[ "$size" -ge "$2" ] || from=0
count=$((size - from))
[ "$count" -le "$3" ] || count=$3
at=$(stat -c %Y -- "$1" 2>/dev/null || date +%s)
printf 'piece %s %s %s %s\n' "$size" "$(($(date +%s) - at))" "$from" "$count"
tail -c +$((from + 1)) -- "$1" | head -c "$count"
else printf 'none 0 0 0 0\n'; fi
echo
}
)sh";

/// The line without its digits: what repeats.
std::string shapeOf(std::string_view line)
{
    std::string out;
    for (const char c : line) {
        const bool isDigit = c >= '0' && c <= '9';
        if (!isDigit)
            out += c;
        else if (out.empty() || out.back() != '0')
            out += '0';
    }
    return out;
}

} // namespace

Result<std::vector<TailPiece>> readTails(Transport& transport, const std::vector<TailPosition>& positions, std::uint64_t most,
                                         std::stop_token stop)
{
    RemoteCommand command;
    command.title = "read " + std::to_string(positions.size()) + (positions.size() == 1 ? " log" : " logs");
    command.script = tailFunctions;
    command.mayAsk = false;
    for (const TailPosition& position : positions)
        command.script +=
            "piece " + base::shellQuoted(position.path) + ' ' + std::to_string(position.offset) + ' ' + std::to_string(most) + '\n';
    command.timeout = std::chrono::milliseconds(300'000);
    const auto outcome = transport.run(command, stop);
    if (!outcome)
        return tl::unexpected<Error>(outcome.error());
    const auto unreadable = [&] {
        return failure(ErrorCode::Malformed, transport.host() + " answers in a way that cannot be read: " + command.title + '.',
                       outcome->err);
    };
    std::vector<TailPiece> out;
    std::string_view rest = outcome->out;
    for (const TailPosition& position : positions) {
        const std::size_t end = rest.find('\n');
        const std::vector<std::string_view> words = base::splitAt(rest.substr(0, std::min(end, rest.size())), ' ');
        if (end == std::string_view::npos || words.size() != 5)
            return unreadable();
        std::array<std::uint64_t, 4> numbers{};
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            const auto number = base::integerOf(words[i + 1]);
            if (!number)
                return unreadable();
            numbers[i] = *number < 0 ? 0U : static_cast<std::uint64_t>(*number);
        }
        rest.remove_prefix(end + 1);
        TailPiece piece;
        piece.exists = words[0] == "piece";
        piece.size = numbers[0];
        piece.idleSeconds = static_cast<std::int64_t>(numbers[1]);
        piece.begin = numbers[2];
        piece.wasReplaced = piece.exists && piece.begin < position.offset;
        // A file that shrinks while it is read would give less: the line break behind the piece tells.
        if (rest.size() < numbers[3] + 1 || rest[numbers[3]] != '\n')
            return unreadable();
        piece.bytes = rest.substr(0, numbers[3]);
        rest.remove_prefix(numbers[3] + 1);
        out.push_back(std::move(piece));
    }
    return out;
}

Result<std::vector<RemoteFile>> remoteFiles(Transport& transport, std::string_view folder, std::stop_token stop)
{
    RemoteCommand command;
    command.title = "list files";
    command.mayAsk = false;
    // A folder below that may not be entered is left out; that of the job itself must be there and be readable.
    command.script = "cd -- " + base::shellQuoted(folder) +
                     " && [ -r . ] && [ -x . ] || exit 1\n"
                     "find . -maxdepth 0 -printf '' || exit 1\n"
                     "find . -path ./.srtwb -prune -o -type f -printf '%s %T@ %P\\0' 2>/dev/null\nexit 0";
    const auto outcome = transport.run(command, stop);
    if (!outcome)
        return tl::unexpected<Error>(outcome.error());
    if (outcome->exitCode != 0)
        return failure(ErrorCode::NotFound, "The folder " + base::pathInQuotes(folder) + " on " + transport.host() + " cannot be read.",
                       outcome->err);
    std::vector<RemoteFile> out;
    for (const std::string_view entry : base::splitAt(outcome->out, '\0')) {
        const std::size_t first = entry.find(' ');
        const std::size_t second = first == std::string_view::npos ? first : entry.find(' ', first + 1);
        if (second == std::string_view::npos)
            continue;
        const auto size = base::integerOf(entry.substr(0, first));
        const auto time = base::numberOf(entry.substr(first + 1, second - first - 1));
        if (size && *size >= 0 && time)
            out.push_back({std::string(entry.substr(second + 1)), static_cast<std::uint64_t>(*size), static_cast<std::int64_t>(*time)});
    }
    std::sort(out.begin(), out.end(), [](const RemoteFile& a, const RemoteFile& b) { return a.path < b.path; });
    return out;
}

std::string harmless(std::string_view bytes)
{
    std::string out;
    std::size_t at = 0;
    while (at < bytes.size()) {
        const std::size_t end = std::min(bytes.find('\n', at), bytes.size());
        std::string_view line = bytes.substr(at, end - at);
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        if (const std::size_t back = line.rfind('\r'); back != std::string_view::npos)
            line.remove_prefix(back + 1);
        std::string shown;
        for (std::size_t i = 0; i < line.size();) {
            // Colours say nothing here: they go. What else a terminal would obey is shown.
            if (line[i] == '\x1b' && i + 1 < line.size() && line[i + 1] == '[') {
                std::size_t last = i + 2;
                while (last < line.size() &&
                       (static_cast<unsigned char>(line[last]) < 0x40 || static_cast<unsigned char>(line[last]) > 0x7e))
                    ++last;
                if (last < line.size() && line[last] == 'm') {
                    i = last + 1;
                    continue;
                }
            }
            const std::size_t next = std::min(line.find_first_of("\x1b\t", i + 1), line.size());
            if (line[i] == '\t') {
                shown += "    ";
                ++i;
                continue;
            }
            shown += base::printable(line.substr(i, next - i));
            i = next;
        }
        out += shown;
        if (end < bytes.size())
            out += '\n';
        at = end + 1;
    }
    return out;
}

std::string collapsed(std::string_view text)
{
    std::string out;
    std::string lastShape;
    std::string last;
    std::size_t count = 0;
    const auto flush = [&] {
        if (count > 0)
            out += last + (count > 1 ? "  [" + std::to_string(count) + " times]" : std::string()) + '\n';
    };
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view line = text.substr(at, end - at);
        std::string shape = shapeOf(line);
        if (count > 0 && shape == lastShape) {
            ++count;
        } else {
            flush();
            count = 1;
            lastShape = std::move(shape);
        }
        last = line;
        at = end + 1;
    }
    flush();
    return out;
}

std::span<const LogSign> logSigns()
{
    return rows;
}

std::optional<FoundSign> firstError(std::string_view text)
{
    std::size_t number = 0;
    std::optional<FoundSign> vague;
    for (const std::string_view line : base::splitAt(text, '\n')) {
        ++number;
        if (line.starts_with('+'))
            continue;
        for (const LogSign& sign : rows) {
            if (line.find(sign.words) != std::string_view::npos)
                return FoundSign{number, std::string(line), &sign};
        }
        if (vague)
            continue;
        const std::string low = base::lowered(line);
        const std::size_t at = low.find("error");
        const bool isWord =
            at != std::string::npos && (at + 5 == low.size() || low[at + 5] == ':' || low[at + 5] == ' ' || low[at + 5] == ']');
        if (isWord || low.starts_with("fatal"))
            vague = FoundSign{number, std::string(line), nullptr};
    }
    return vague;
}

} // namespace wb::remote
