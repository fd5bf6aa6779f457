#include "core/remote/framing.h"

#include "core/base/shell.h"
#include "core/base/text.h"

namespace wb::remote {

Framed framed(std::string_view script, std::string_view input, std::string_view mark)
{
    const std::string quoted = base::shellQuoted(mark);
    // Braces around it all: sh runs nothing of a group before it has read its end, so half a script is a syntax error and no more.
    std::string text = "{ printf '\\n%s begin %s\\n' " + quoted + " \"$$\"; printf '\\n%s begin\\n' " + quoted + " >&2\n(\n";
    text += script;
    text += "\n)\nprintf '\\n%s end %s\\n' " + quoted + " \"$?\"\n}\n";
    Framed out;
    // dd with a block of one byte takes exactly the script from the stream and leaves the rest to the script. No "!", no line break: tcsh.
    out.commandLine = "exec /bin/sh -c 'eval \"$(dd bs=1 count=" + std::to_string(text.size()) + " 2>/dev/null)\"'";
    out.input = std::move(text);
    out.input += input;
    return out;
}

Unframed unframed(std::string_view out, std::string_view err, std::string_view mark)
{
    Unframed result;
    const std::string begin = '\n' + std::string(mark) + " begin ";
    if (const std::size_t at = out.find(begin); at != std::string_view::npos) {
        const std::size_t numberAt = at + begin.size();
        const std::size_t lineEnd = out.find('\n', numberAt);
        if (lineEnd != std::string_view::npos) {
            result.hasBegun = true;
            result.process = static_cast<long>(base::integerOf(out.substr(numberAt, lineEnd - numberAt)).value_or(0));
            std::string_view body = out.substr(lineEnd + 1);
            const std::string end = '\n' + std::string(mark) + " end ";
            // A script without output: the line break before the end mark is the one behind the begin mark's line.
            const std::size_t endAt = body.rfind(end);
            if (endAt != std::string_view::npos) {
                const std::string_view rest = body.substr(endAt + end.size());
                if (const std::size_t stop = rest.find('\n'); stop != std::string_view::npos) {
                    if (const auto code = base::integerOf(rest.substr(0, stop)))
                        result.exitCode = static_cast<int>(*code);
                }
                body = body.substr(0, endAt);
            }
            result.out = body;
        }
    }
    const std::string errBegin = '\n' + std::string(mark) + " begin\n";
    const std::size_t errAt = err.find(errBegin);
    result.err = errAt == std::string_view::npos ? err : err.substr(errAt + errBegin.size());
    return result;
}

} // namespace wb::remote
