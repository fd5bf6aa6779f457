// What a run's own logs tell while it goes on: how far it is, how many workers serve, what the client measured last. For runs of either
// launcher; that of the workbench writes a status file too, which says more and is believed before the logs.
//
// To add a line that srtctl writes: a row in runlog.cpp.
#pragma once

#include <string>
#include <string_view>

namespace wb::remote {

/// Each is empty where the log does not tell.
struct RunLog {
    std::string stage;   ///< As RunStatus::stage.
    std::string workers; ///< "1 of 2 prefill, 0 of 4 decode"; of aggregated ones "3 of 4".
    std::string figures; ///< "concurrency 64: 1234.5 output tok/s, TPOT median 8.21 ms", as the client printed them.
};

/// Shell lines that print what is read of the logs below `outputDir` (already quoted for the shell), a line each with "| " in front, at
/// most some kilobytes, whatever the size of the files. `isBegun`: a stage was told before, so that the end of the log is enough.
[[nodiscard]] std::string runLogScript(std::string_view number, std::string_view quotedDir, bool isBegun);
/// Takes what such lines printed. The last line of each kind counts.
[[nodiscard]] RunLog readRunLog(std::string_view out);

/// How the counts are told; `wantedPrefill` 0: the workers are aggregated.
[[nodiscard]] std::string workersText(int prefill, int wantedPrefill, int others, int wantedOthers);

} // namespace wb::remote
