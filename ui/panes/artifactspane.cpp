#include "ui/panes/artifactspane.h"

#include "core/base/sha256.h"
#include "core/store/atomicfile.h"
#include "core/store/ownfolder.h"
#include "ui/async/background.h"
#include "ui/editor/recipeeditor.h"
#include "ui/models/text.h"
#include "ui/panes/messagebar.h"
#include "ui/panes/tableview.h"

#include <QClipboard>
#include <QComboBox>
#include <QFileDialog>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

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
    , m_text(new RecipeEditor(this))
    , m_title(new QLabel(this))
    , m_hash(new QLabel(this))
    , m_launcher(new QComboBox(this))
    , m_message(new MessageBar(this))
{
    m_view->setObjectName(QStringLiteral("artifactsView"));
    m_view->setTextElideMode(Qt::ElideMiddle);
    m_view->setSelectionMode(QAbstractItemView::SingleSelection);
    m_view->setColumnWidths({26, 19, 8, 12}, ArtifactsModel::NameColumn);
    m_text->setObjectName(QStringLiteral("artifactText"));
    m_text->setReadOnly(true);
    m_title->setWordWrap(true);
    m_title->setTextInteractionFlags(Qt::TextSelectableByMouse);

    auto* lower = new QWidget(this);
    auto* lowerColumn = new QVBoxLayout(lower);
    lowerColumn->setContentsMargins(0, 0, 0, 0);
    lowerColumn->setSpacing(0);
    lowerColumn->addWidget(makeBar());
    lowerColumn->addWidget(m_text);
    auto* splitter = new QSplitter(Qt::Vertical, this);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(m_view);
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
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(6, 4, 6, 4);
    bar->addWidget(m_title, 1);
    bar->addWidget(m_launcher);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(bar);
    column->addWidget(m_message);
    column->addWidget(splitter, 1);
    setFocusProxy(m_view);

    connect(m_view, &TableView::currentSourceChanged, this, &ArtifactsPane::showArtifact);
    connect(&session, &Session::dryRunChanged, this, &ArtifactsPane::refresh);
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
    QToolButton* find = button(tr("Find"), tr("Find in the artifact (Ctrl+F)"));
    connect(find, &QToolButton::clicked, m_text, &RecipeEditor::showFindBar);
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
    QToolButton* exportAll = button(tr("Export all\u2026"), tr("Write all artifacts of the job, secrets masked, into a folder"));
    connect(exportAll, &QToolButton::clicked, this, &ArtifactsPane::exportArtifacts);
    for (QToolButton* each : {find, copyHash, copy, save, exportAll})
        row->addWidget(each);
    return bar;
}

const render::Artifact* ArtifactsPane::current() const
{
    const QModelIndex source = m_view->currentSource();
    return source.isValid() ? &m_model.row(source.row()).artifact() : nullptr;
}

void ArtifactsPane::refresh()
{
    const auto& dryRun = m_session.dryRun();
    m_secrets.clear();
    if (dryRun && dryRun->checked && dryRun->variant < dryRun->checked->variants.size()) {
        const check::ClusterFile* cluster = m_session.cluster();
        if (const auto& job = dryRun->checked->variants[dryRun->variant].job)
            m_secrets = render::secretsOf(*job, cluster && cluster->cluster ? *cluster->cluster : recipe::Cluster());
    }
    m_view->changeQuietly([&] { m_model.setArtifacts(dryRun ? dryRun->artifacts : nullptr); });
    if (!dryRun) {
        m_title->setText(tr("No job is selected."));
        m_view->setEmptyText(tr("The files of the selected job are listed here."));
    } else {
        m_title->setText(dryRun->title.empty() ? tr("Job without a name") : text(dryRun->title));
        m_view->setEmptyText(text(dryRun->whyNot));
    }
    if (!m_view->currentSource().isValid() && m_model.rowCount() > 0)
        m_view->showCurrent(m_view->filter().mapToSource(m_view->filter().index(0, 0)));
    showArtifact();
}

void ArtifactsPane::showArtifact()
{
    const render::Artifact* artifact = current();
    if (!artifact) {
        m_shown.clear();
        m_text->setText({});
        m_hash->setText({});
        return;
    }
    const bool isSame = m_shown == artifact->name;
    m_shown = artifact->name;
    m_text->setLanguage(languageOf(*artifact));
    // The same file of another variant, or after a key press: scroll position and cursor stay.
    const std::string bytes = shownBytes(*artifact);
    if (isSame)
        m_text->replaceText(text(bytes));
    else
        m_text->setText(text(bytes));
    m_hash->setText((artifact->predicted ? tr("Predicted \u00b7 ") : QString()) +
                    (bytes == artifact->bytes ? QString() : tr("Secrets masked \u00b7 ")) +
                    tr("SHA-256 %1\u2026").arg(text(artifact->sha256).left(16)));
    m_hash->setToolTip(text(artifact->sha256));
}

void ArtifactsPane::saveArtifact()
{
    const render::Artifact* artifact = current();
    if (!artifact)
        return;
    auto* dialog = new QFileDialog(this, tr("Save artifact"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->selectFile(text(artifact->name).section(QLatin1Char('/'), -1));
    connect(dialog, &QFileDialog::fileSelected, this, [this, bytes = shownBytes(*artifact)](const QString& path) {
        async::runInBackground(
            m_session.workers(), this, [file = path.toStdString(), bytes] { return store::writeAtomically(file, bytes); },
            [this, path](const Result<void>& written) {
                if (written)
                    m_session.log().info(tr("Saved %1").arg(path));
                else
                    m_message->showError(written.error());
            });
    });
    dialog->open();
}

std::string ArtifactsPane::shownBytes(const render::Artifact& artifact) const
{
    return render::masked(artifact.bytes, m_secrets);
}

void ArtifactsPane::exportArtifacts()
{
    const auto& dryRun = m_session.dryRun();
    if (!dryRun || !dryRun->artifacts)
        return;
    std::vector<store::FolderFile> files;
    for (const render::Artifact& artifact : *dryRun->artifacts) {
        std::string bytes = shownBytes(artifact);
        std::string sha256 = base::sha256Hex(bytes);
        files.push_back({artifact.name, std::move(bytes), std::move(sha256)});
    }
    auto* dialog = new QFileDialog(this, tr("Export artifacts into a new or empty folder"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this,
            [this, files = std::move(files), origin = dryRun->checked->source->path()](const QString& path) {
                async::runInBackground(
                    m_session.workers(), this,
                    [folder = path.toStdString(), files, origin] { return store::writeOwnFolder(folder, files, {origin}, false); },
                    [this, path](const Result<std::string>& written) {
                        if (written)
                            m_session.log().info(tr("Exported the artifacts to %1").arg(path));
                        else
                            m_message->showError(written.error());
                    });
            });
    dialog->open();
}

} // namespace wb::ui
