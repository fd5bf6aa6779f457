#include "tests/fuzz/importerfuzz.h"

#include "core/results/importreport.h"
#include "core/results/slimjson.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace wb::fuzz {

namespace {

void require(bool holds, const char* what)
{
    if (holds)
        return;
    std::fprintf(stderr, "Does not hold: %s\n", what);
    std::abort();
}

void requireFile(const results::ImportedFile& file)
{
    using results::FileState;
    require(file.points.empty() == (file.state != FileState::Imported), "what is imported has points, and nothing else has");
    require(file.state == FileState::Imported || !file.reason.empty(), "what is not imported has a reason");
    for (const std::string& warning : file.warnings)
        require(!warning.empty(), "a warning says something");
    for (const results::Point& point : file.points) {
        require(point.valid == point.reasons.empty(), "a point is valid, or has reasons");
        require(point.format == file.format, "a point is of its file's format");
        for (const results::NumberField& field : results::numberFields())
            require(!field.of(point) || !point.valid || std::isfinite(*field.of(point)), "numbers of a valid point are finite");
        const auto again = results::pointFromJson(results::toStoredJson(point));
        require(again.has_value(), "a point can be stored");
        results::Point twice = point;
        results::judge(twice);
        require(twice == point, "judging twice changes nothing");
    }
    static_cast<void>(results::reportText(results::reportLines({{file}, {}})));
}

} // namespace

void tryResult(std::string_view text, std::string_view importer)
{
    if (importer.empty()) {
        requireFile(results::importText("results/r_conc8.json", text));
        requireFile(results::importText("1001/logs/benchmark.out", text));
    } else {
        const results::Told told{.format = std::string(importer), .fields = {{"gpus", "8"}}};
        requireFile(results::importText("sa-bench_isl_1024_osl_1024/results_concurrency_4_gpus_8_ctx_4_gen_4.json", text, {}, told));
    }
    results::JsonSlimmer json(64);
    results::TextSlimmer plain;
    for (const std::string_view half : {text.substr(0, text.size() / 2), text.substr(text.size() / 2)}) {
        json.feed(half);
        plain.feed(half);
    }
    require(json.taken().size() <= text.size(), "slimming makes nothing longer");
    require(plain.taken().size() <= text.size(), "slimming makes nothing longer");
}

} // namespace wb::fuzz
