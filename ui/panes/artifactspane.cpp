#include "ui/panes/artifactspane.h"

#include "core/base/sha256.h"
#include "core/base/unifieddiff.h"
#include "core/store/atomicfile.h"
#include "core/store/ownfolder.h"
#include "core/store/sentfiles.h"
#include "core/store/tarball.h"
#include "ui/editor/recipeeditor.h"
#include "ui/models/text.h"
#include "ui/panes/messagebar.h"
#include "ui/panes/saving.h"
#include "ui/panes/tableview.h"
#include "ui/shell/dryrun.h"

#include <QClipboard>
#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <utility>

namespace wb::ui {

namespace {

struct Launcher {
    render::Launcher launcher;
    const char* title;
    const char* tip;
};

constexpr std::array launchers{
    Launcher{render::Launcher::Srtctl, QT_TRANSLATE_NOOP("wb::ui::ArtifactsPane", "srtctl on the cluster"),
             QT_TRANSLATE_NOOP("wb::ui::ArtifactsPane",
                               "The recipe is sent; the job script that srtctl will write from it is shown as it is expected to be")},
    Launcher{render::Launcher::Portable, QT_TRANSLATE_NOOP("wb::ui::ArtifactsPane", "Portable job script"),
             QT_TRANSLATE_NOOP("wb::ui::ArtifactsPane", "The job script is written here and sent as it is shown")},
};

QString languageOf(const render::Artifact& artifact)
{
    switch (artifact.kind) {
    case render::ArtifactKind::JobScript:
    case render::ArtifactKind::Command:
        return QStringLiteral("Bash");
    case render::ArtifactKind::Recipe:
        return QStringLiteral("YAML");
    case render::ArtifactKind::Metadata:
    case render::ArtifactKind::Topology:
        return QStringLiteral("JSON");
    case render::ArtifactKind::Config:
        if (artifact.name.ends_with(".conf"))
            return QStringLiteral("nginx");
        return artifact.name.ends_with(".yaml") ? QStringLiteral("YAML") : QString();
    case render::ArtifactKind::Environment:
    case render::ArtifactKind::Mounts:
        return {};
    }
    return {};
}

// What an entry of the list of things to compare with stands for, in its data.
const QString ofLauncher = QStringLiteral("launcher");
const QString ofSubmit = QStringLiteral("submit");
const QString ofJob = QStringLiteral("job:"); ///< And the job's stable key.
constexpr std::size_t mostJobs = 200;         ///< Of more the first ones are offered.

/// What is known of the files of a submitted job: names and SHA-256, and their bytes where a copy was kept.
std::shared_ptr<const DryRun> recorded(const store::JobEntry& job, const std::string& stateFolder)
{
    auto files = std::make_shared<std::vector<render::Artifact>>();
    for (const store::SentFile& file : job.files)
        files->push_back(
            {.name = file.name, .bytes = store::sentBytes(stateFolder, file.sha256).value_or(std::string()), .sha256 = file.sha256});
    auto out = std::make_shared<DryRun>();
    out->title = job.jobId.empty() ? job.name : job.name + " (" + job.jobId + ")";
    out->artifacts = std::move(files);
    return out;
}

/// All artifacts as files, as they are shown.
std::vector<store::FolderFile> filesOf(const std::vector<render::Artifact>& artifacts, const std::vector<render::Secret>& secrets)
{
    std::vector<store::FolderFile> files;
    for (const render::Artifact& artifact : artifacts) {
        std::string bytes = render::masked(artifact.bytes, secrets);
        std::string sha256 = base::sha256Hex(bytes);
        files.push_back({artifact.name, std::move(bytes), std::move(sha256)});
    }
    return files;
}

QToolButton* button(const QString& text, const QString& tip)
{
    auto* made = new QToolButton;
    made->setText(text);
    made->setToolTip(tip);
    made->setAutoRaise(true);
    return made;
}

} // namespace

ArtifactsPane::ArtifactsPane(Session& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_view(new TableView(&m_model, ArtifactsModel::SortRole, tr("Artifacts"), this))
    , m_hits(new TableView(&m_hitsModel, ArtifactHitsModel::SortRole, tr("Found in the artifacts"), this))
    , m_lists(new QStackedWidget(this))
    , m_contents(new QStackedWidget(this))
    , m_text(new RecipeEditor(this))
    , m_table(new TableView(&m_tableModel, CellsModel::SortRole, tr("The artifact as a table"), this))
    , m_find(button(tr("Find"), tr("Find in the artifact (Ctrl+F)")))
    , m_title(new QLabel(this))
    , m_hash(new QLabel(this))
    , m_found(new QLabel(this))
    , m_words(new QLineEdit(this))
    , m_launcher(new QComboBox(this))
    , m_compared(new QComboBox(this))
    , m_copyCommand(button(tr("Copy command"), tr("Copy the command on one line, to be pasted into a shell")))
    , m_message(new MessageBar(this))
    , m_otherJob(session.workers(),
                 [this](std::shared_ptr<const DryRun> other) {
                     m_other = std::move(other);
                     refreshList();
                 })
    , m_searchJob(session.workers(),
                  [this](const Hits& found) {
                      m_hits->changeQuietly([&] { m_hitsModel.setHits(found.hits, found.names); });
                      const int count = static_cast<int>(found.hits.size());
                      m_found->setText(found.isAll ? tr("%n line(s)", nullptr, count) : tr("the first %n line(s)", nullptr, count));
                  })
    , m_typing(std::chrono::milliseconds(120), [this] { search(); })
{
    m_view->setObjectName(QStringLiteral("artifactsView"));
    m_view->setTextElideMode(Qt::ElideMiddle);
    m_view->setSelectionMode(QAbstractItemView::SingleSelection);
    m_view->setColumnWidths({26, 10, 19, 8, 12}, ArtifactsModel::NameColumn);
    m_hits->setObjectName(QStringLiteral("artifactHits"));
    m_hits->setSelectionMode(QAbstractItemView::SingleSelection);
    m_hits->setColumnWidths({28, 5, 40}, ArtifactHitsModel::TextColumn);
    m_hits->setEmptyText(tr("No artifact holds these words."));
    m_lists->addWidget(m_view);
    m_lists->addWidget(m_hits);
    m_text->setObjectName(QStringLiteral("artifactText"));
    m_text->setReadOnly(true);
    m_table->setObjectName(QStringLiteral("artifactTable"));
    m_table->setTextElideMode(Qt::ElideMiddle);
    m_table->setColumnWidths({22, 30, 40, 26});
    m_contents->addWidget(m_text);
    m_contents->addWidget(m_table);
    m_title->setObjectName(QStringLiteral("artifactsTitle"));
    m_title->setWordWrap(true);
    m_title->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_words->setObjectName(QStringLiteral("artifactWords"));
    m_words->setPlaceholderText(tr("Find in all artifacts"));
    m_words->setAccessibleName(tr("Find in all artifacts of the job"));
    m_words->setClearButtonEnabled(true);
    connect(m_words, &QLineEdit::textChanged, &m_typing, &async::Debounce::trigger);
    connect(m_words, &QLineEdit::returnPressed, this, [this] {
        if (m_lists->currentWidget() == m_hits)
            m_hits->setFocus();
    });

    auto* lower = new QWidget(this);
    auto* lowerColumn = new QVBoxLayout(lower);
    lowerColumn->setContentsMargins(0, 0, 0, 0);
    lowerColumn->setSpacing(0);
    lowerColumn->addWidget(makeBar());
    lowerColumn->addWidget(m_contents);
    auto* splitter = new QSplitter(Qt::Vertical, this);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(m_lists);
    splitter->addWidget(lower);
    splitter->setStretchFactor(0, 1);
    splitter->setStretchFactor(1, 3);
    splitter->setSizes({150, 450});

    for (const Launcher& launcher : launchers) {
        m_launcher->addItem(tr(launcher.title), static_cast<int>(launcher.launcher));
        m_launcher->setItemData(m_launcher->count() - 1, tr(launcher.tip), Qt::ToolTipRole);
    }
    m_launcher->setAccessibleName(tr("Launcher"));
    m_launcher->setToolTip(tr("Who writes the job script"));
    connect(m_launcher, &QComboBox::currentIndexChanged, this,
            [this](int index) { m_session.setLauncher(static_cast<render::Launcher>(m_launcher->itemData(index).toInt())); });
    m_compared->setObjectName(QStringLiteral("artifactsCompared"));
    m_compared->setAccessibleName(tr("Compare the artifacts with"));
    m_compared->setToolTip(tr("Show what differs from the artifacts of another job, or of the same job with the other launcher"));
    m_compared->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_compared->setMinimumContentsLength(16);
    connect(m_compared, &QComboBox::activated, this, &ArtifactsPane::refreshCompared);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(6, 4, 6, 0);
    bar->addWidget(m_title, 1);
    bar->addWidget(m_launcher);
    auto* searchBar = new QHBoxLayout;
    searchBar->setContentsMargins(6, 4, 6, 4);
    searchBar->addWidget(m_words, 1);
    searchBar->addWidget(m_found);
    searchBar->addWidget(m_compared);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(bar);
    column->addLayout(searchBar);
    column->addWidget(m_message);
    column->addWidget(splitter, 1);
    setFocusProxy(m_view);

    connect(m_view, &TableView::currentSourceChanged, this, &ArtifactsPane::showArtifact);
    connect(m_hits, &TableView::currentSourceChanged, this, &ArtifactsPane::showHit);
    connect(m_hits, &TableView::sourceActivated, this, [this](const QModelIndex& source) {
        showHit(source);
        m_text->setFocus();
    });
    connect(&session, &Session::dryRunChanged, this, &ArtifactsPane::refresh);
    connect(&session.jobs(), &Jobs::changed, this, &ArtifactsPane::refresh);
    refresh();
}

QWidget* ArtifactsPane::makeBar()
{
    auto* bar = new QWidget(this);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(6, 2, 4, 2);
    m_hash->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_text->leaveKeysToWindow();
    m_hash->setMinimumWidth(1);
    row->addWidget(m_hash, 1);
    connect(m_find, &QToolButton::clicked, m_text, &RecipeEditor::showFindBar);
    QToolButton* copyHash = button(tr("Copy SHA-256"), tr("Copy the whole SHA-256 of these bytes"));
    connect(copyHash, &QToolButton::clicked, this, [this] {
        if (const render::Artifact* artifact = current())
            QGuiApplication::clipboard()->setText(text(artifact->sha256));
    });
    QToolButton* copy = button(tr("Copy text"), tr("Copy the whole artifact"));
    connect(copy, &QToolButton::clicked, this, [this] {
        if (const render::Artifact* artifact = current())
            QGuiApplication::clipboard()->setText(text(shownBytes(*artifact)));
    });
    QToolButton* save = button(tr("Save as\u2026"), tr("Write what is shown to a file"));
    connect(save, &QToolButton::clicked, this, &ArtifactsPane::saveArtifact);
    m_copyCommand->setObjectName(QStringLiteral("copyCommand"));
    connect(m_copyCommand, &QToolButton::clicked, this, &ArtifactsPane::copyCommand);
    QToolButton* exportAll = button(tr("Export all"), tr("Write all artifacts of the job, secrets masked"));
    exportAll->setPopupMode(QToolButton::InstantPopup);
    auto* ways = new QMenu(exportAll);
    ways->addAction(tr("Into a folder\u2026"), this, &ArtifactsPane::exportFolder);
    ways->addAction(tr("As a tar archive\u2026"), this, &ArtifactsPane::exportTar);
    exportAll->setMenu(ways);
    for (QToolButton* each : {m_find, copyHash, copy, m_copyCommand, save, exportAll})
        row->addWidget(each);
    return bar;
}

const ArtifactRow* ArtifactsPane::currentRow() const
{
    const QModelIndex source = m_view->currentSource();
    return source.isValid() ? &m_model.row(source.row()) : nullptr;
}

const render::Artifact* ArtifactsPane::current() const
{
    const ArtifactRow* row = currentRow();
    return row ? &row->artifact() : nullptr;
}

std::vector<render::Secret> ArtifactsPane::secretsIn(const DryRun* dryRun) const
{
    if (!dryRun || !dryRun->checked || dryRun->variant >= dryRun->checked->variants.size())
        return {};
    const auto& job = dryRun->checked->variants[dryRun->variant].job;
    return job ? render::secretsOf(*job, *clusterFor(m_session, *dryRun->checked)) : std::vector<render::Secret>();
}

void ArtifactsPane::refresh()
{
    fillCompared();
    refreshCompared();
    search();
}

/// What the job can be compared with; the choice stays where it still stands for something.
void ArtifactsPane::fillCompared()
{
    const auto& dryRun = m_session.dryRun();
    const QString chosen = m_compared->currentData().toString();
    m_compared->clear();
    m_compared->addItem(tr("Compare with\u2026"), QString());
    if (dryRun && dryRun->checked) {
        if (m_launcher->count() > 1)
            m_compared->addItem(tr("The other launcher"), ofLauncher);
        if (lastSubmitted(m_session.jobs().all(), *dryRun->checked, dryRun->variant))
            m_compared->addItem(tr("What was submitted last"), ofSubmit);
        const std::vector<std::string>& keys = m_session.selection().keysOf(dryRun->checked);
        for (std::size_t i = 0; i < std::min(keys.size(), mostJobs); ++i) {
            if (i != dryRun->variant)
                m_compared->addItem(text(dryRun->checked->variants[i].name), ofJob + text(keys[i]));
        }
    }
    m_compared->setEnabled(m_compared->count() > 1);
    m_compared->setCurrentIndex(std::max(0, m_compared->findData(chosen)));
}

void ArtifactsPane::refreshCompared()
{
    const auto& dryRun = m_session.dryRun();
    const QString chosen = m_compared->currentData().toString();
    if (!dryRun || !dryRun->checked || chosen.isEmpty()) {
        m_otherJob.cancel();
        m_other.reset();
        return refreshList();
    }
    if (chosen == ofSubmit) {
        const store::JobEntry* job = lastSubmitted(m_session.jobs().all(), *dryRun->checked, dryRun->variant);
        if (!job) {
            m_otherJob.cancel();
            m_other.reset();
            return refreshList();
        }
        refreshList();
        return m_otherJob.start(
            [sent = *job, folder = m_session.jobs().stateFolder().toStdString()](std::stop_token) { return recorded(sent, folder); });
    }
    std::size_t job = dryRun->variant;
    render::Launcher launcher = m_session.launcher();
    if (chosen == ofLauncher) {
        launcher = launcher == render::Launcher::Srtctl ? render::Launcher::Portable : render::Launcher::Srtctl;
    } else {
        const std::vector<std::string>& keys = m_session.selection().keysOf(dryRun->checked);
        const auto at = std::find(keys.begin(), keys.end(), chosen.mid(ofJob.size()).toStdString());
        job = at == keys.end() ? job : static_cast<std::size_t>(at - keys.begin());
    }
    refreshList(); // at once, with what it was compared with before
    m_otherJob.start(
        [checked = dryRun->checked, job, how = m_session.rendering(launcher),
         cluster = clusterFor(m_session, *dryRun->checked)](std::stop_token) { return dryRunOf(checked, job, how, *cluster); });
}

void ArtifactsPane::refreshList()
{
    const auto& dryRun = m_session.dryRun();
    m_secrets = secretsIn(dryRun.get());
    for (render::Secret& secret : secretsIn(m_other.get()))
        m_secrets.push_back(std::move(secret));
    m_view->changeQuietly([&] {
        m_model.setArtifacts(dryRun ? dryRun->artifacts : nullptr, m_other ? m_other->artifacts : nullptr, m_other && !m_other->checked);
    });
    m_view->setColumnShown(ArtifactsModel::ChangeColumn, m_other && m_other->artifacts);
    m_title->setText(titleText());
    m_view->setEmptyText(dryRun ? text(dryRun->whyNot) : tr("The files of the selected job are listed here."));
    if (!m_view->currentSource().isValid() && m_model.rowCount() > 0)
        m_view->showCurrent(m_view->filter().mapToSource(m_view->filter().index(0, 0)));
    showArtifact();
}

QString ArtifactsPane::titleText() const
{
    const auto& dryRun = m_session.dryRun();
    if (!dryRun)
        return tr("No job is selected.");
    const QString title = dryRun->title.empty() ? tr("Job without a name") : text(dryRun->title);
    if (!m_other)
        return title;
    const QString chosen = m_compared->currentData().toString();
    const QString other = chosen == ofLauncher ? tr("the other launcher")
                          : chosen == ofSubmit ? tr("what was submitted as %1").arg(text(m_other->title))
                                               : text(m_other->title);
    if (!m_other->artifacts)
        return tr("%1 \u00b7 not compared with %2: %3").arg(title, other, text(m_other->whyNot));
    const auto differing = std::count_if(m_model.rows().begin(), m_model.rows().end(),
                                         [](const ArtifactRow& row) { return row.change && *row.change != render::ArtifactChange::Same; });
    return differing == 0 ? tr("%1 \u00b7 all artifacts are the same as with %2").arg(title, other)
                          : tr("%1 \u00b7 %n artifact(s) differ from %2", nullptr, static_cast<int>(differing)).arg(title, other);
}

void ArtifactsPane::search()
{
    const auto& dryRun = m_session.dryRun();
    const std::string words = m_words->text().toStdString();
    const bool isSearched = !words.empty() && dryRun && dryRun->artifacts;
    m_lists->setCurrentWidget(isSearched ? m_hits : m_view);
    setFocusProxy(m_lists->currentWidget());
    if (!isSearched) {
        m_searchJob.cancel();
        m_found->clear();
        m_hitsModel.setHits({}, {});
        return;
    }
    m_searchJob.start([artifacts = dryRun->artifacts, secrets = secretsIn(dryRun.get()), words](const std::stop_token& stop) {
        Hits out;
        for (const render::Artifact& artifact : *artifacts)
            out.names.push_back(artifact.name);
        out.hits = render::findInTexts(render::shownTexts(*artifacts, secrets), words, mostHits, stop);
        out.isAll = out.hits.size() < mostHits;
        return out;
    });
}

void ArtifactsPane::showHit(const QModelIndex& source)
{
    if (!source.isValid())
        return;
    const ArtifactHitRow& found = m_hitsModel.row(source.row());
    const int row = m_model.rowOf(found.name);
    if (row < 0 || m_model.row(row).change == render::ArtifactChange::OnlyThere)
        return;
    m_view->showCurrent(m_model.index(row, 0));
    showArtifact();
    // The line is one of the artifact, not of what differs in it.
    const render::Artifact& artifact = m_model.row(row).artifact();
    const std::string bytes = shownBytes(artifact);
    if (m_contents->currentWidget() == m_table) { // its first line is the titles
        const QModelIndex line = m_tableModel.index(static_cast<int>(found.hit.line) - 2, 0);
        m_table->showCurrent(line);
        m_table->scrollTo(m_table->currentIndex());
    }
    if (m_text->utf8Text() != bytes)
        showText(bytes, languageOf(artifact));
    if (found.hit.end <= bytes.size())
        m_text->goTo(syntax::Range{found.hit.begin, found.hit.end});
}

void ArtifactsPane::showArtifact()
{
    const ArtifactRow* row = currentRow();
    m_copyCommand->setVisible(row && row->artifact().kind == render::ArtifactKind::Command);
    if (!row) {
        m_shown.clear();
        m_text->setText({});
        m_contents->setCurrentWidget(m_text);
        m_hash->setText({});
        return;
    }
    const render::Artifact& artifact = row->artifact();
    const std::string bytes = shownBytes(artifact);
    const std::string* other = otherBytes(*row);
    m_contents->setCurrentWidget(m_text);
    if (row->change == render::ArtifactChange::OnlyThere && !other) {
        showText(tr("Only its SHA-256 is known here: %1").arg(text(artifact.sha256)).toStdString(), {});
    } else if (row->change == render::ArtifactChange::Changed && other) {
        const std::string diff =
            base::unifiedDiff(render::masked(*other, m_secrets), bytes, artifact.name + " (compared with)", artifact.name + " (this job)");
        showText(diff.empty() ? tr("They differ in what is masked alone.").toStdString() : diff, QStringLiteral("Diff"));
    } else {
        showText(bytes, languageOf(artifact));
        if (artifact.kind == render::ArtifactKind::Environment || artifact.kind == render::ArtifactKind::Mounts) {
            showTable(bytes);
            m_contents->setCurrentWidget(m_table);
        }
    }
    m_find->setVisible(m_contents->currentWidget() == m_text);
    m_hash->setText((artifact.predicted ? tr("Predicted \u00b7 ") : QString()) +
                    (bytes == artifact.bytes ? QString() : tr("Secrets masked \u00b7 ")) +
                    tr("SHA-256 %1\u2026").arg(text(artifact.sha256).left(16)));
    m_hash->setToolTip(text(artifact.sha256));
}

void ArtifactsPane::showText(const std::string& bytes, const QString& language)
{
    const render::Artifact* artifact = current();
    const std::string name = artifact ? artifact->name + language.toStdString() : std::string();
    const bool isSame = m_shown == name;
    m_shown = name;
    m_text->setLanguage(language);
    // The same file of another variant, or after a key press: scroll position and cursor stay.
    if (isSame)
        m_text->replaceText(text(bytes));
    else
        m_text->setText(text(bytes));
}

void ArtifactsPane::showTable(const std::string& bytes)
{
    QStringList titles;
    std::vector<CellsRow> rows;
    const QStringList lines = text(bytes).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    for (const QString& line : lines) {
        const QStringList words = line.split(QLatin1Char('\t'));
        if (titles.isEmpty()) {
            titles = words;
            continue;
        }
        CellsRow row;
        row.id = (words.value(0) + QLatin1Char('\t') + words.value(1)).toStdString();
        for (const QString& word : words)
            row.cells.push_back({.text = word});
        rows.push_back(std::move(row));
    }
    m_tableModel.setTable(titles, std::move(rows));
}

const std::string* ArtifactsPane::otherBytes(const ArtifactRow& row) const
{
    if (!m_other || !row.others || !row.change || *row.change == render::ArtifactChange::OnlyHere)
        return nullptr;
    const std::string& bytes = (*row.others)[row.other].bytes;
    return m_other->checked || !bytes.empty() ? &bytes : nullptr;
}

void ArtifactsPane::copyCommand()
{
    if (const render::Artifact* artifact = current())
        QGuiApplication::clipboard()->setText(text(render::pasteableCommand(shownBytes(*artifact))));
}

void ArtifactsPane::saveArtifact()
{
    const render::Artifact* artifact = current();
    if (!artifact)
        return;
    askWhereToSave(*this, tr("Save artifact"), {}, text(artifact->name).section(QLatin1Char('/'), -1),
                   [this, bytes = shownBytes(*artifact)](const QString& file) {
                       saveInBackground(m_session, *this, *m_message, file, bytes, tr("Saved %1").arg(file));
                   });
}

std::string ArtifactsPane::shownBytes(const render::Artifact& artifact) const
{
    return render::masked(artifact.bytes, m_secrets);
}

void ArtifactsPane::exportFolder()
{
    const auto dryRun = m_session.dryRun();
    if (!dryRun || !dryRun->artifacts)
        return;
    auto* dialog = new QFileDialog(this, tr("Export artifacts into a new or empty folder"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this, [this, dryRun, secrets = secretsIn(dryRun.get())](const QString& path) {
        const auto work = [folder = path.toStdString(), dryRun, secrets]() -> Result<void> {
            auto written = store::writeOwnFolder(folder, filesOf(*dryRun->artifacts, secrets), {dryRun->checked->source->path()}, false);
            return written ? Result<void>() : tl::unexpected(std::move(written.error()));
        };
        saveInBackground(m_session, *this, *m_message, work, tr("Exported the artifacts to %1").arg(path));
    });
    dialog->open();
}

void ArtifactsPane::exportTar()
{
    const auto dryRun = m_session.dryRun();
    if (!dryRun || !dryRun->artifacts)
        return;
    const QString name = dryRun->title.empty() ? QStringLiteral("artifacts") : text(dryRun->title);
    const auto save = [this, dryRun, secrets = secretsIn(dryRun.get())](const QString& path) {
        const auto work = [file = path.toStdString(), folder = QFileInfo(path).completeBaseName().toStdString(), dryRun,
                           secrets]() -> Result<void> {
            auto bytes = store::tarball(folder, filesOf(*dryRun->artifacts, secrets));
            return bytes ? store::writeAtomically(file, *bytes) : Result<void>(tl::unexpected(std::move(bytes.error())));
        };
        saveInBackground(m_session, *this, *m_message, work, tr("Exported the artifacts to %1").arg(path));
    };
    askWhereToSave(*this, tr("Export artifacts as a tar archive"), {tr("Tar archive (*.tar)")}, name + QStringLiteral(".tar"), save,
                   QStringLiteral("exportTarDialog"));
}

} // namespace wb::ui
