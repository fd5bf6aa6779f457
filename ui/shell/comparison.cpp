#include "ui/shell/comparison.h"

#include "core/base/files.h"
#include "core/base/text.h"
#include "core/expand/selector.h"
#include "ui/models/text.h"
#include "ui/models/variantsmodel.h"

#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace wb::ui {

namespace {

Error nothingToCompare(const std::string& name, const check::Checked& checked)
{
    const auto wrong = std::find_if(checked.diagnostics.begin(), checked.diagnostics.end(),
                                    [](const syntax::Diagnostic& problem) { return problem.severity == syntax::Severity::Error; });
    return {ErrorCode::Malformed,
            base::inQuotes(name) + " stands for no job" + (wrong == checked.diagnostics.end() ? std::string(".") : ": " + wrong->message),
            name};
}

QString titleOf(const QString& file, const check::Checked& checked, std::size_t job)
{
    if (checked.variants.size() < 2)
        return file;
    return QStringLiteral("%1: %2").arg(file, text(variantKeys(checked)[job]));
}

} // namespace

std::vector<std::size_t> jobsNamed(const check::Checked& checked, const std::string& wanted)
{
    std::vector<std::size_t> out;
    const std::vector<std::string> keys = variantKeys(checked);
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (keys[i] == wanted || checked.variants[i].name == wanted)
            out.push_back(i);
    }
    if (!out.empty())
        return out;
    const auto selector = expand::readSelector(wanted);
    if (!selector)
        return out;
    using Kind = expand::Selector::Kind;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const expand::Variant& variant = checked.variants[i].variant;
        const std::string key = variant.section.substr(0, variant.section.find('['));
        const bool isMeant =
            selector->kind == Kind::All || (selector->kind == Kind::Base && key == "base") ||
            (selector->kind == Kind::Section && key == selector->section) ||
            (selector->kind == Kind::Slice && variant.section == selector->section + '[' + std::to_string(selector->slice) + ']') ||
            (selector->kind == Kind::Glob && expand::matchesGlob(selector->section, key));
        if (isMeant)
            out.push_back(i);
    }
    return out;
}

Comparison::Comparison(async::Workers& workers, Documents& documents, QObject* parent)
    : QObject(parent)
    , m_documents(documents)
    , m_job(workers, [this](std::shared_ptr<const Compared> result) {
        m_result = std::move(result);
        Q_EMIT changed();
    })
{
}

void Comparison::compare(std::vector<Part> parts)
{
    for (Part& part : parts) {
        const Document* open = part.checked ? nullptr : m_documents.find(part.path);
        if (open && open->isCheckCurrent())
            part.checked = open->checked;
    }
    m_job.start([parts = std::move(parts), facts = m_documents.facts()](std::stop_token stop) { return compared(parts, *facts, stop); });
    Q_EMIT changed();
}

std::shared_ptr<const Compared> Comparison::compared(const std::vector<Part>& parts, const check::Facts& facts, const std::stop_token& stop)
{
    auto out = std::make_shared<Compared>();
    for (const Part& part : parts) {
        CheckedPtr checked = part.checked;
        const std::string path = part.path.toStdString();
        if (!checked) {
            auto bytes = base::readFile(path);
            if (!bytes) {
                out->errors.push_back(std::move(bytes.error()));
                continue;
            }
            checked = std::make_shared<const check::Checked>(
                check::check(std::make_shared<syntax::SourceText>(std::move(*bytes), path), facts, {}, stop));
        }
        if (checked->variants.empty()) {
            out->errors.push_back(nothingToCompare(path, *checked));
            continue;
        }
        std::vector<std::size_t> jobs = part.job ? std::vector{*part.job} : std::vector<std::size_t>{0};
        if (!part.variant.empty())
            jobs = jobsNamed(*checked, part.variant);
        if (jobs.empty())
            out->errors.push_back(
                {ErrorCode::NotFound, base::inQuotes(path) + " has no variant " + base::inQuotes(part.variant) + '.', path});
        const QString file = part.path.isEmpty() ? part.title : QFileInfo(part.path).fileName();
        for (const std::size_t job : jobs) {
            if (out->sides.size() == mostSides)
                break;
            out->sides.push_back({titleOf(file, *checked, job), part.path, checked, job, check::resolvedYaml(*checked, job)});
        }
    }
    std::vector<check::Side> sides;
    for (const Compared::Side& side : out->sides)
        sides.push_back({side.checked.get(), side.variant});
    out->rows = check::sideBySide(sides, false, stop);
    return out;
}

} // namespace wb::ui
