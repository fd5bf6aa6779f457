#include "ui/shell/conversions.h"

#include "core/base/files.h"
#include "core/base/text.h"
#include "core/check/convert.h"
#include "core/check/equality.h"
#include "core/check/verify.h"
#include "core/recipe/migrate.h"
#include "core/store/atomicfile.h"
#include "ui/async/background.h"
#include "ui/models/text.h"
#include "ui/models/variantsmodel.h"

#include <QFileInfo>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

namespace wb::ui {

namespace {

QStringList lines(const std::vector<std::string>& sentences)
{
    QStringList out;
    for (const std::string& sentence : sentences)
        out += text(sentence);
    return out;
}

Conversion refused(Conversion conversion, const QString& why)
{
    conversion.reasons += why;
    return conversion;
}

Conversion taken(Conversion out, check::Converted made)
{
    out.after = std::move(made.text);
    out.isProved = made.isEqual;
    out.reasons = lines(made.reasons);
    out.notes = lines(made.notes);
    return out;
}

/// A name for a zip section from those of the files: what they begin with alike, as far as the language takes it.
std::string groupNameOf(const QStringList& paths)
{
    QString shared = QFileInfo(paths.first()).completeBaseName();
    for (const QString& path : paths) {
        const QString name = QFileInfo(path).completeBaseName();
        while (!name.startsWith(shared))
            shared.chop(1);
    }
    std::string out;
    for (const char c : shared.toStdString())
        out += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ? c : '_';
    while (!out.empty() && (out.back() == '_' || out.back() == '-'))
        out.pop_back();
    return out.empty() ? "files" : out;
}

QString fileNameOf(const std::string& wanted, std::set<QString>& takenNames)
{
    QString stem;
    for (const QChar c : text(wanted))
        stem += c.isLetterOrNumber() || c == u'-' || c == u'_' || c == u'.' ? c : QChar(u'_');
    while (stem.startsWith(u'.'))
        stem.remove(0, 1);
    if (stem.isEmpty())
        stem = QStringLiteral("job");
    QString name = stem + QStringLiteral(".yaml");
    for (int number = 2; !takenNames.insert(name).second; ++number)
        name = QStringLiteral("%1_%2.yaml").arg(stem).arg(number);
    return name;
}

Conversion migrated(Conversion out, const check::Checked& checked)
{
    if (!checked.parsed.complete)
        return refused(std::move(out), Conversions::tr("The text has a syntax error; mend it first."));
    recipe::Migration migration = recipe::migrate(checked.parsed);
    for (const recipe::MigrationNote& note : migration.notes) {
        const QString line = Conversions::tr("Line %1: %2").arg(checked.source->lineCol(note.range.begin).line).arg(text(note.message));
        (note.isRefused ? out.reasons : out.notes) += line;
    }
    if (migration.wasSecond || !migration.changed)
        return refused(std::move(out), migration.wasSecond ? Conversions::tr("The recipe is in schema 2 already.")
                                                           : Conversions::tr("Nothing in the text would change."));
    const check::Verified proof =
        check::verifyMigration(checked.source, std::make_shared<syntax::SourceText>(migration.text, checked.source->path()), {});
    for (const check::VerifyFault& fault : proof.faults)
        out.reasons += text(fault.message);
    // What all jobs share is told once, with how many they are.
    for (const auto& [difference, jobs] : check::sharedDifferences(proof)) {
        const QString where = jobs.size() > 1        ? Conversions::tr("In %n job(s): ", nullptr, static_cast<int>(jobs.size()))
                              : jobs.front().empty() ? QString()
                                                     : text(jobs.front()) + QStringLiteral(": ");
        const QString line =
            Conversions::tr("%1\"%2\" is %3 as schema 1 reads the recipe and %4 as schema 2 reads it. %5")
                .arg(where, text(difference.path), text(difference.first), text(difference.second), text(difference.reason));
        (difference.reason.empty() ? out.reasons : out.notes) += line.trimmed();
    }
    out.after = std::move(migration.text);
    out.isProved = proof.equal && !migration.hasRefusals();
    if (out.isProved && !proof.differences.empty())
        out.verdict = text(check::verdictOn(proof));
    return out;
}

} // namespace

Conversions::Conversions(async::Workers& workers, Documents& documents, Tasks& tasks, Log& log, QObject* parent)
    : QObject(parent)
    , m_workers(workers)
    , m_documents(documents)
    , m_tasks(tasks)
    , m_log(log)
    , m_job(workers, [this](const Made& made) {
        if (m_task) {
            const TaskId id = *std::exchange(m_task, std::nullopt);
            m_tasks.finish(id, made->reasons.isEmpty() ? TaskState::Done : TaskState::Failed, made->reasons.join(QLatin1Char('\n')));
        }
        Q_EMIT ready(*made);
    })
{
}

void Conversions::run(const QString& title, std::function<Conversion(const std::stop_token&)> make)
{
    if (m_task)
        m_tasks.finish(*std::exchange(m_task, std::nullopt), TaskState::Cancelled);
    m_task = m_tasks.begin(title, [this] {
        m_job.cancel();
        if (m_task)
            m_tasks.finish(*std::exchange(m_task, std::nullopt), TaskState::Cancelled);
    });
    m_job.start([make = std::move(make)](std::stop_token stop) { return std::make_shared<const Conversion>(make(stop)); });
}

std::optional<std::pair<CheckedPtr, std::size_t>> Conversions::checkedOf(DocumentId id)
{
    const Document* document = m_documents.find(id);
    if (!document)
        return std::nullopt;
    if (!document->trial.empty()) {
        m_log.warning(tr("Trial values are in force in %1; take them away before it is rewritten.").arg(document->title));
        return std::nullopt;
    }
    if (!document->isCheckCurrent()) {
        m_log.warning(tr("%1 is being checked; try again in a moment.").arg(document->title));
        return std::nullopt;
    }
    return std::pair{document->checked, document->version};
}

void Conversions::consolidate(const QStringList& paths)
{
    if (paths.isEmpty())
        return;
    Conversion out;
    out.title = tr("%1 recipes as one").arg(paths.size());
    std::vector<std::pair<std::string, CheckedPtr>> parts;
    for (const QString& path : paths) {
        const Document* open = m_documents.find(path);
        parts.emplace_back(path.toStdString(), open && open->isCheckCurrent() && open->trial.empty() ? open->checked : nullptr);
    }
    run(out.title, [out, parts, group = groupNameOf(paths), facts = m_documents.facts()](const std::stop_token& stop) mutable {
        std::vector<check::Checked> files;
        for (const auto& [path, checked] : parts) {
            if (checked) {
                files.push_back(*checked);
                continue;
            }
            auto bytes = base::readFile(path);
            if (!bytes)
                return refused(std::move(out), text(bytes.error().message));
            files.push_back(check::check(std::make_shared<syntax::SourceText>(std::move(*bytes), path), *facts, {}, stop));
        }
        check::Consolidation made = check::consolidate(files, group, *facts);
        out.after = std::move(made.text);
        out.isProved = made.isEqual;
        out.reasons = lines(made.reasons);
        out.notes = lines(made.notes);
        return out;
    });
}

void Conversions::asZip(DocumentId id)
{
    const auto checked = checkedOf(id);
    if (!checked)
        return;
    Conversion out{.title = tr("The sweep as a zip of overrides"),
                   .step = tr("write the sweep as a zip"),
                   .target = id,
                   .version = checked->second,
                   .before = checked->first->source->text()};
    run(out.title, [out, checked = checked->first, facts = m_documents.facts()](const std::stop_token&) {
        return taken(out, check::sweepAsZip(*checked, "sweep", *facts));
    });
}

void Conversions::asSweep(DocumentId id)
{
    const auto checked = checkedOf(id);
    if (!checked)
        return;
    Conversion out{.title = tr("The overrides as a sweep"),
                   .step = tr("write the overrides as a sweep"),
                   .target = id,
                   .version = checked->second,
                   .before = checked->first->source->text()};
    run(out.title, [out, checked = checked->first, facts = m_documents.facts()](const std::stop_token&) {
        return taken(out, check::zipAsSweep(*checked, *facts));
    });
}

void Conversions::migrate(DocumentId id)
{
    const auto checked = checkedOf(id);
    if (!checked)
        return;
    Conversion out{.title = tr("The recipe in schema 2"),
                   .step = tr("migrate to schema 2"),
                   .target = id,
                   .version = checked->second,
                   .before = checked->first->source->text()};
    run(out.title, [out, checked = checked->first](const std::stop_token&) { return migrated(out, *checked); });
}

void Conversions::restoreManifest(DocumentId id, const snapshot::Capture& capture, const snapshot::RestoreOptions& options)
{
    const auto checked = checkedOf(id);
    if (!checked)
        return;
    Conversion out{.title = tr("A restore manifest of %1").arg(text(capture.name.empty() ? capture.kind : capture.name)),
                   .step = tr("add a restore manifest"),
                   .target = id,
                   .version = checked->second,
                   .before = checked->first->source->text()};
    run(out.title, [out, capture, options, crds = m_documents.crds()](const std::stop_token&) mutable {
        const CrdsPtr used = crds ? crds : snapshot::builtinCrds(snapshot::builtinCrdNames().front());
        auto made = snapshot::addRestoreManifest(out.before, capture, options, *used);
        if (!made) {
            out.verdict = tr("It cannot be made.");
            return refused(std::move(out), text(made.error().message));
        }
        out.after = made->text;
        out.isProved = made->isProved();
        out.verdict = made->isProved()
                          ? tr("Checked: the restore manifest has no errors, and all that it tells is compatible with what is captured.")
                          : tr("The restore manifest is not right yet.");
        out.reasons = lines(made->faults);
        out.notes = lines(made->manifest.notes);
        if (!made->manifest.areCommentsKept)
            out.notes += tr("The layout of the capture forced writing it anew: its comments are not in the restore manifest.");
        return out;
    });
}

void Conversions::explode(DocumentId id, std::vector<std::size_t> jobs)
{
    const auto checked = checkedOf(id);
    if (!checked)
        return;
    Conversion out;
    out.title = tr("A file of its own for each job");
    run(out.title,
        [out, jobs = std::move(jobs), checked = checked->first, facts = m_documents.facts()](const std::stop_token& stop) mutable {
            if (jobs.empty()) {
                for (std::size_t i = 0; i < checked->variants.size(); ++i)
                    jobs.push_back(i);
            }
            std::set<QString> names;
            for (const std::size_t job : jobs) {
                if (stop.stop_requested())
                    break;
                check::Exploded made = check::explode(*checked, job, *facts);
                if (made.whyNot)
                    out.reasons += text(*made.whyNot);
                out.files.emplace_back(fileNameOf(checked->variants[job].name, names), std::move(made.text));
            }
            out.isProved = out.reasons.isEmpty() && !out.files.empty();
            if (out.files.empty())
                out.reasons += tr("The recipe stands for no job.");
            return out;
        });
}

void Conversions::apply(const Conversion& conversion)
{
    if (conversion.after.empty())
        return;
    if (!conversion.target)
        m_documents.add(conversion.after);
    else if (!m_documents.change(*conversion.target, conversion.version, conversion.step, conversion.after))
        m_log.warning(tr("The text changed meanwhile; it was left as it is: %1").arg(conversion.title));
}

void Conversions::writeFiles(const Conversion& conversion, const QString& folder)
{
    async::runInBackground(
        m_workers, this,
        [files = conversion.files, folder]() -> Result<void> {
            namespace fs = std::filesystem;
            const fs::path root = folder.toStdString();
            std::error_code ignored;
            for (const auto& [name, bytes] : files) {
                const fs::path path = root / name.toStdString();
                if (fs::exists(path, ignored))
                    return failure(ErrorCode::Refused, base::pathInQuotes(path.string()) + " is there already; nothing was written.");
            }
            for (const auto& [name, bytes] : files) {
                if (auto done = store::writeAtomically((root / name.toStdString()).string(), bytes); !done)
                    return done;
            }
            return {};
        },
        [this, folder, count = conversion.files.size()](const Result<void>& done) {
            if (!done) {
                m_log.error(done.error());
                Q_EMIT failed(done.error());
                return;
            }
            m_log.info(tr("%n recipe(s) written to %1", nullptr, static_cast<int>(count)).arg(folder));
            Q_EMIT written(folder);
        });
}

} // namespace wb::ui
