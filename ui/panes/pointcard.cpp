#include "ui/panes/pointcard.h"

#include "core/base/text.h"
#include "ui/models/text.h"
#include "ui/panes/tableview.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QVBoxLayout>

#include <algorithm>

namespace wb::ui {

namespace {

/// What a restore by NVIDIA Snapshot was measured to take for the point's model and engine: it stands beside and for nothing of the point.
std::vector<FactRow> snapshotReference(const results::Point& point, const snapshot::StartupImport& startup)
{
    if (!point.model || !point.engine || startup.runs.empty())
        return {};
    const auto gpus = point.gpus.working ? std::optional(static_cast<int>(*point.gpus.working)) : std::nullopt;
    const snapshot::RestoreReference reference =
        snapshot::restoreReference(startup.runs, *point.model, *point.engine, point.hardware.value_or(""), gpus);
    FactRow row{.id = "snapshot reference", .title = PointCard::tr("Snapshot reference"), .value = dash(), .from = {}, .written = {}};
    if (!reference.run) {
        row.from = PointCard::tr("no restore of this model and engine was imported");
        return {row};
    }
    const snapshot::StartupRun& run = *reference.run;
    row.value = PointCard::tr("restore %1 s (%2)").arg(number(run.restore.seconds, 4), text(snapshot::name(reference.quality)));
    QStringList what{text(run.gpu)};
    if (run.gpus)
        what += PointCard::tr("%n GPU(s)", nullptr, *run.gpus);
    what += text(run.date);
    what += text(run.source);
    what.removeAll(QString());
    row.from = what.join(QStringLiteral(" \u00b7 "));
    return {row};
}

} // namespace

PointCard::PointCard(Session& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_view(new TableView(&m_facts, PointFacts::SortRole, tr("Facts of the point"), this))
    , m_title(new QLabel(this))
    , m_onlyThis(new QCheckBox(tr("Change only this point, not all of its file"), this))
    , m_tags(new QLineEdit(this))
    , m_note(new QLineEdit(this))
{
    setObjectName(QStringLiteral("pointCard"));
    m_view->setObjectName(QStringLiteral("pointFacts"));
    m_view->setColumnWidths({16, 16, 20}, PointFacts::From);
    m_view->setTextElideMode(Qt::ElideMiddle);
    m_view->setEmptyText(tr("Select a point to see where its values come from."));
    m_view->setEditTriggers(QAbstractItemView::EditKeyPressed);
    m_title->setTextFormat(Qt::PlainText);
    m_title->setContentsMargins(6, 4, 6, 2);
    m_tags->setObjectName(QStringLiteral("pointTags"));
    m_tags->setAccessibleName(tr("Tags of the run"));
    m_tags->setPlaceholderText(tr("Tags of the run, apart by blanks"));
    m_note->setObjectName(QStringLiteral("pointNote"));
    m_note->setAccessibleName(tr("Note on the run"));
    m_note->setPlaceholderText(tr("Note on the run"));
    m_onlyThis->setObjectName(QStringLiteral("pointOnlyThis"));
    auto* bottom = new QHBoxLayout;
    bottom->setContentsMargins(6, 2, 6, 4);
    bottom->addWidget(m_tags, 2);
    bottom->addWidget(m_note, 3);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_title);
    column->addWidget(m_view, 1);
    column->addWidget(m_onlyThis);
    column->addLayout(bottom);
    setFocusProxy(m_view);

    connect(&m_facts, &PointFacts::edited, this, [this](const QString& field, const QString& words) {
        if (const results::Point* point = m_session.results().find(m_session.selection().point()))
            m_session.results().edit(point->source, document(*point), field.toStdString(), words.toStdString());
    });
    connect(m_view, &TableView::sourceActivated, this, [this](const QModelIndex& source) {
        const QModelIndex value = m_view->filter().mapFromSource(source.siblingAtColumn(PointFacts::Value));
        if (value.flags().testFlag(Qt::ItemIsEditable))
            m_view->edit(value);
    });
    connect(m_view, &TableView::menuRequested, this, &PointCard::addToMenu);
    connect(m_tags, &QLineEdit::editingFinished, this, &PointCard::keepTags);
    connect(m_note, &QLineEdit::editingFinished, this, &PointCard::keepNote);
    connect(&session.selection(), &Selection::pointChanged, this, &PointCard::refresh);
    connect(&session.results(), &Results::pointsChanged, this, &PointCard::refresh);
    connect(&session.snapshots(), &Snapshots::startupChanged, this, &PointCard::refresh);
    refresh();
}

std::optional<std::size_t> PointCard::document(const results::Point& point) const
{
    return m_onlyThis->isChecked() ? std::optional(point.document) : std::nullopt;
}

void PointCard::refresh()
{
    const results::Point* point = m_session.results().find(m_session.selection().point());
    m_view->changeQuietly(
        [&] { m_facts.setPoint(point, point ? snapshotReference(*point, *m_session.snapshots().startup()) : std::vector<FactRow>()); });
    const bool mayWrite = point && m_session.results().whyReadOnly().isEmpty();
    for (QWidget* widget : {static_cast<QWidget*>(m_tags), static_cast<QWidget*>(m_note), static_cast<QWidget*>(m_onlyThis)})
        widget->setEnabled(mayWrite);
    m_title->setText(!point               ? tr("No point is selected.")
                     : point->concurrency ? tr("%1 at concurrency %2").arg(text(point->run.text), number(point->concurrency))
                                          : text(point->run.text));
    const RunId run = point ? point->run : RunId();
    const QString tags = point ? text(base::joined(point->tags, " ")) : QString();
    const QString note = point ? text(point->userNote) : QString();
    // What is being typed is not taken away by a change elsewhere.
    if (run != m_run || !m_tags->hasFocus())
        m_tags->setText(tags);
    if (run != m_run || !m_note->hasFocus())
        m_note->setText(note);
    m_run = run;
}

void PointCard::keepTags()
{
    const results::Point* point = m_session.results().find(m_session.selection().point());
    if (!point || point->run != m_run)
        return;
    std::vector<std::string> tags;
    for (const QString& tag : m_tags->text().split(QLatin1Char(' '), Qt::SkipEmptyParts))
        tags.push_back(tag.toStdString());
    std::sort(tags.begin(), tags.end());
    tags.erase(std::unique(tags.begin(), tags.end()), tags.end());
    if (tags != point->tags)
        m_session.results().setTags(m_run, tags);
}

void PointCard::keepNote()
{
    const results::Point* point = m_session.results().find(m_session.selection().point());
    if (const std::string note = m_note->text().trimmed().toStdString(); point && point->run == m_run && note != point->userNote)
        m_session.results().setNote(m_run, note);
}

void PointCard::addToMenu(QMenu& menu, const QModelIndex& source)
{
    const results::Point* point = m_session.results().find(m_session.selection().point());
    if (!point || !source.isValid())
        return;
    const FactRow& fact = m_facts.row(source.row());
    menu.addAction(tr("Change\u2026"), this, [this, source] { Q_EMIT m_view->sourceActivated(source); })->setEnabled(fact.isEditable);
    QAction* back =
        menu.addAction(tr("Take back what you said"), this, [this, field = fact.id, path = point->source, at = point->document] {
            m_session.results().edit(path, std::nullopt, field, std::nullopt);
            m_session.results().edit(path, at, field, std::nullopt);
        });
    back->setEnabled(fact.isByUser);
}

} // namespace wb::ui
