#include "ui/shell/runcomparison.h"

#include "core/analysis/outcome.h"
#include "core/analysis/runside.h"
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/results/importer.h"
#include "ui/models/text.h"

#include <QSet>

#include <algorithm>
#include <utility>

namespace wb::ui {

namespace {

/// "1001" and "1002" of ".../outputs/1001" and ".../outputs/1002"; more of the path where the ends are the same.
QStringList titlesOf(const QStringList& paths)
{
    for (int parts = 1; parts < 12; ++parts) {
        QStringList out;
        for (const QString& path : paths)
            out += path.split(QLatin1Char('/'), Qt::SkipEmptyParts)
                       .mid(std::max<qsizetype>(path.count(QLatin1Char('/')) - parts, 0))
                       .join(QLatin1Char('/'));
        for (QString& title : out) {
            if (title.endsWith(QLatin1String("__recipe.lock.yaml")))
                title.chop(18);
        }
        if (QSet<QString>(out.begin(), out.end()).size() == out.size())
            return out;
    }
    return paths;
}

/// One job's recipe, which did not run.
Result<analysis::Side> recipeSide(const std::string& path, const check::Facts& facts, const std::stop_token& stop)
{
    auto bytes = base::readFile(path);
    if (!bytes)
        return tl::unexpected(std::move(bytes.error()));
    const check::Checked checked = check::check(std::make_shared<syntax::SourceText>(std::move(*bytes), path), facts, {}, stop);
    if (checked.variants.size() != 1 || !checked.variants.front().variant.document || !checked.parsed.complete) {
        return failure(ErrorCode::Malformed,
                       base::pathInQuotes(path) + " stands for " + std::to_string(checked.variants.size()) +
                           " jobs; only a recipe of one job can be compared with runs.",
                       path);
    }
    analysis::Side side;
    side.label = path;
    side.recipe = checked.variants.front().variant.document;
    return side;
}

std::shared_ptr<const ComparedRuns> compared(const QStringList& paths, const check::Facts& facts, const std::stop_token& stop)
{
    auto out = std::make_shared<ComparedRuns>();
    std::vector<analysis::Side> sides;
    std::vector<std::vector<results::Point>> points;
    for (const QString& path : paths) {
        const std::string file = path.toStdString();
        if (!analysis::isRunPath(file)) {
            auto side = recipeSide(file, facts, stop);
            if (!side) {
                out->errors.push_back(std::move(side.error()));
                continue;
            }
            sides.push_back(*std::move(side));
            points.emplace_back();
        } else {
            auto run = analysis::readRun(file);
            if (!run) {
                out->errors.push_back(std::move(run.error()));
                continue;
            }
            for (const std::string& warning : run->warnings)
                out->warnings += text(warning);
            sides.push_back(std::move(run->side));
            points.push_back(run->results.empty() ? std::vector<results::Point>() : results::importPaths(run->results, {}, stop).points());
        }
        out->paths += path;
    }
    out->warnings.removeDuplicates();
    out->titles = titlesOf(out->paths);
    if (sides.size() < 2)
        return out;
    out->comparison = analysis::compare(sides);
    out->comparison.sections.push_back(analysis::outcomeOf(points));
    return out;
}

} // namespace

RunComparison::RunComparison(async::Workers& workers, Documents& documents, QObject* parent)
    : QObject(parent)
    , m_documents(documents)
    , m_job(workers, [this](std::shared_ptr<const ComparedRuns> result) {
        m_result = std::move(result);
        Q_EMIT changed();
    })
{
}

void RunComparison::compare(const QStringList& paths)
{
    m_job.start(
        [paths = paths.mid(0, mostRuns), facts = m_documents.facts()](std::stop_token stop) { return compared(paths, *facts, stop); });
    Q_EMIT changed();
}

} // namespace wb::ui
