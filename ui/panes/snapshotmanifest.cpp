#include "ui/panes/snapshotmanifest.h"

#include "core/snapshot/capturemanifest.h"
#include "ui/models/text.h"
#include "ui/panes/cellsdelegate.h"
#include "ui/panes/tableview.h"

#include <QComboBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace wb::ui {

namespace {

/// Errors and warnings that stand in an object: from its begin to that of the next.
struct Counts {
    int errors = 0;
    int warnings = 0;
};

Counts countsIn(const snapshot::CheckedManifest& manifest, std::size_t index)
{
    const std::size_t begin = manifest.objects[index].range.begin;
    const std::size_t end = index + 1 < manifest.objects.size() ? manifest.objects[index + 1].range.begin : std::string::npos;
    Counts out;
    for (const syntax::Diagnostic& finding : manifest.findings) {
        if (finding.range.begin < begin || finding.range.begin >= end)
            continue;
        out.errors += finding.severity == syntax::Severity::Error ? 1 : 0;
        out.warnings += finding.severity == syntax::Severity::Warning ? 1 : 0;
    }
    return out;
}

Cell stateOf(const snapshot::CheckedManifest& manifest, std::size_t index)
{
    if (!manifest.objects[index].isChecked) {
        return {.text = SnapshotManifest::tr("not checked"),
                .tip = SnapshotManifest::tr("There is no schema for this kind here: only the server can check it."),
                .look = CellLook::Unknown};
    }
    const Counts counts = countsIn(manifest, index);
    if (counts.errors > 0)
        return {.text = SnapshotManifest::tr("%n error(s)", nullptr, counts.errors), .look = CellLook::Bad};
    if (counts.warnings > 0)
        return {.text = SnapshotManifest::tr("%n warning(s)", nullptr, counts.warnings), .look = CellLook::Warning};
    return {.text = SnapshotManifest::tr("no problems"), .look = CellLook::Good};
}

} // namespace

SnapshotManifest::SnapshotManifest(Session& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_crds(new QComboBox(this))
    , m_origin(new QLabel(this))
    , m_summary(new QLabel(this))
    , m_capture(new QToolButton(this))
    , m_restore(new QToolButton(this))
    , m_objectView(new TableView(&m_objects, CellsModel::SortRole, tr("Objects of the manifest"), this))
    , m_defaultView(new TableView(&m_defaults, CellsModel::SortRole, tr("What the server fills in"), this))
{
    m_crds->setObjectName(QStringLiteral("crdChoice"));
    m_crds->setAccessibleName(tr("Schemas that manifests are checked against"));
    m_crds->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_crds->setMinimumContentsLength(16);
    m_origin->setWordWrap(true);
    m_origin->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_origin->setObjectName(QStringLiteral("crdOrigin"));
    m_summary->setObjectName(QStringLiteral("manifestSummary"));
    m_summary->setWordWrap(true);
    auto* fresh = new QToolButton(this);
    fresh->setObjectName(QStringLiteral("newManifest"));
    fresh->setText(tr("New"));
    fresh->setToolTip(tr("A manifest to begin with: capture or restore, by engine and number of GPUs"));
    auto* templates = new QMenu(fresh);
    for (const snapshot::ManifestTemplate& each : snapshot::manifestTemplates())
        templates->addAction(text(each.title), &session.snapshots(),
                             [this, id = text(each.id)] { Q_EMIT m_session.snapshots().templateWanted(id); });
    fresh->setMenu(templates);
    fresh->setPopupMode(QToolButton::InstantPopup);
    fresh->setFocusPolicy(Qt::TabFocus);
    m_capture->setObjectName(QStringLiteral("makeCapture"));
    m_capture->setText(tr("Capture of the recipe\u2026"));
    m_capture->setFocusPolicy(Qt::TabFocus);
    connect(m_capture, &QToolButton::clicked, &session.snapshots(), &Snapshots::captureWanted);
    m_restore->setFocusPolicy(Qt::TabFocus);
    m_restore->setObjectName(QStringLiteral("makeRestore"));
    m_restore->setText(tr("Make a restore manifest\u2026"));
    m_restore->setToolTip(tr("From the capture at the cursor, as one more document of the text; shown before anything changes"));
    connect(m_restore, &QToolButton::clicked, &session.snapshots(), &Snapshots::restoreWanted);
    for (TableView* view : {m_objectView, m_defaultView})
        view->setItemDelegate(new CellsDelegate(view));
    m_objectView->setObjectName(QStringLiteral("manifestObjects"));
    m_objectView->setColumnWidths({16, 28, 14, 16}, 1);
    m_objectView->setEmptyText(tr("Open a SnapshotJob, PodSnapshot, restore Pod or Deployment: its objects are listed here."));
    m_defaultView->setObjectName(QStringLiteral("manifestDefaults"));
    m_defaultView->setColumnWidths({44, 20}, 0);
    m_defaultView->setEmptyText(tr("Defaults that the server would fill in are listed here; they are not written into the text."));
    connect(m_objectView, &TableView::sourceActivated, this, [this](const QModelIndex& source) {
        const Document* document = m_session.documents().current();
        const auto row = static_cast<std::size_t>(source.row());
        if (document && document->manifest && row < document->manifest->objects.size())
            m_session.documents().goTo(document->id, document->manifest->objects[row].range.begin);
    });

    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(6, 4, 6, 4);
    auto* label = new QLabel(tr("Schemas"), this);
    label->setBuddy(m_crds);
    bar->addWidget(label);
    bar->addWidget(m_crds);
    bar->addStretch();
    bar->addWidget(fresh);
    bar->addWidget(m_capture);
    bar->addWidget(m_restore);
    for (QLabel* each : {m_origin, m_summary})
        each->setContentsMargins(6, 0, 6, 4);
    auto* split = new QSplitter(Qt::Vertical, this);
    split->addWidget(m_objectView);
    split->addWidget(m_defaultView);
    split->setChildrenCollapsible(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(bar);
    column->addWidget(m_origin);
    column->addWidget(m_summary);
    column->addWidget(split, 1);

    connect(m_crds, &QComboBox::activated, this, &SnapshotManifest::chooseCrds);
    connect(&session.snapshots(), &Snapshots::crdsChanged, this, &SnapshotManifest::refreshCrds);
    connect(&session.snapshots(), &Snapshots::failed, this, &SnapshotManifest::refreshCrds);
    connect(&session.documents(), &Documents::currentChanged, this, &SnapshotManifest::refresh);
    connect(&session.documents(), &Documents::checked, this, &SnapshotManifest::refresh);
    connect(&session.selection(), &Selection::variantChanged, this, &SnapshotManifest::refreshCapture);
    refreshCrds();
    refresh();
}

void SnapshotManifest::refreshCrds()
{
    const CrdsPtr crds = m_session.snapshots().crds();
    const QSignalBlocker quiet(m_crds);
    m_crds->clear();
    for (const std::string& name : snapshot::builtinCrdNames())
        m_crds->addItem(text(name), text(name));
    const auto& names = snapshot::builtinCrdNames();
    if (std::find(names.begin(), names.end(), crds->name) == names.end())
        m_crds->addItem(QFileInfo(text(crds->name)).fileName(), text(crds->name));
    m_crds->setCurrentIndex(m_crds->findData(text(crds->name)));
    m_crds->addItem(tr("From a file\u2026"));
    QString words = text(crds->origin);
    if (!crds->borrowed.empty()) {
        QStringList kinds;
        for (const std::string& kind : crds->borrowed)
            kinds += text(kind);
        words += tr(" Built in, as the file lacks them: %1.").arg(kinds.join(QStringLiteral(", ")));
    }
    m_origin->setText(words + tr(" SHA-256 %1\u2026").arg(text(crds->sha256).left(12)));
    m_origin->setToolTip(text(crds->sha256));
}

void SnapshotManifest::chooseCrds(int index)
{
    const QString name = m_crds->itemData(index).toString();
    if (!name.isEmpty()) {
        m_session.snapshots().useBuiltinCrds(name);
        return refreshCrds();
    }
    refreshCrds();
    auto* dialog = new QFileDialog(this, tr("CustomResourceDefinitions"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters({tr("Definitions (*.yaml *.yml *.json)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) { m_session.snapshots().readCrds(file); });
    dialog->open();
}

void SnapshotManifest::refreshCapture()
{
    const auto wish = m_session.captureOfRecipe();
    m_capture->setEnabled(wish.has_value());
    m_capture->setToolTip(wish ? tr("What captures a worker of the selected job, as a new text") : text(wish.error().message));
}

void SnapshotManifest::refresh()
{
    refreshCapture();
    const Document* document = m_session.documents().current();
    const ManifestPtr manifest = document ? document->manifest : nullptr;
    std::vector<CellsRow> objects;
    std::vector<CellsRow> defaults;
    bool hasCapture = false;
    for (std::size_t i = 0; manifest && i < manifest->objects.size(); ++i) {
        const snapshot::CheckedObject& object = manifest->objects[i];
        hasCapture = hasCapture || object.kind == "SnapshotJob" || object.kind == "Deployment" || object.kind == "Pod";
        objects.push_back(
            {.id = std::to_string(i),
             .cells = {{.text = object.kind.empty() ? dash() : text(object.kind), .tip = text(object.apiVersion)},
                       {.text = object.name.empty() ? dash() : text(object.name)},
                       {.text = object.space.empty() ? dash() : text(object.space),
                        .tip = object.space.empty() ? tr("The text does not name a namespace: kubectl's counts.") : QString()},
                       stateOf(*manifest, i)}});
    }
    for (std::size_t i = 0; manifest && i < manifest->defaults.size(); ++i) {
        const snapshot::FilledDefault& filled = manifest->defaults[i];
        defaults.push_back({.id = filled.path + std::to_string(i), .cells = {{.text = text(filled.path)}, {.text = text(filled.text)}}});
    }
    m_objectView->changeQuietly([&] { m_objects.setTable({tr("Kind"), tr("Name"), tr("Namespace"), tr("State")}, std::move(objects)); });
    m_defaultView->changeQuietly([&] { m_defaults.setTable({tr("Filled in by the server"), tr("Value")}, std::move(defaults)); });
    m_restore->setEnabled(hasCapture);
    if (!document)
        m_summary->setText(tr("No text is open."));
    else if (!document->isManifest)
        m_summary->setText(tr("%1 is a recipe, no manifest of Kubernetes.").arg(document->title));
    else if (!manifest)
        m_summary->setText(tr("Checking\u2026"));
    else
        m_summary->setText(tr("%1: %n object(s)", nullptr, static_cast<int>(manifest->objects.size())).arg(document->title));
}

} // namespace wb::ui
