#include "ui/panes/problemspane.h"

#include "ui/models/text.h"
#include "ui/panes/severitydelegate.h"
#include "ui/panes/tableview.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QVBoxLayout>

#include <algorithm>

namespace wb::ui {

namespace {

QString countsOf(const check::Checked& checked)
{
    const auto count = [&](syntax::Severity severity) {
        return static_cast<int>(std::count_if(checked.diagnostics.begin(), checked.diagnostics.end(),
                                              [&](const syntax::Diagnostic& problem) { return problem.severity == severity; }));
    };
    return ProblemsPane::tr("%n error(s)", nullptr, count(syntax::Severity::Error)) + QStringLiteral(" \u00b7 ") +
           ProblemsPane::tr("%n warning(s)", nullptr, count(syntax::Severity::Warning)) + QStringLiteral(" \u00b7 ") +
           ProblemsPane::tr("%n hint(s)", nullptr, count(syntax::Severity::Info) + count(syntax::Severity::Hint));
}

} // namespace

ProblemsPane::ProblemsPane(Session& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_view(new TableView(&m_model, ProblemsModel::SortRole, tr("Problems"), this))
    , m_summary(new QLabel(this))
{
    m_view->setObjectName(QStringLiteral("problemsView"));
    m_view->setItemDelegateForColumn(ProblemsModel::MessageColumn, new SeverityDelegate(ProblemsModel::SeverityRole, m_view));
    m_view->setColumnWidths({28, 7, 14, 16}, ProblemsModel::MessageColumn);
    auto* filter = new QLineEdit(this);
    filter->setPlaceholderText(tr("Filter"));
    filter->setAccessibleName(tr("Filter of the problems"));
    filter->setClearButtonEnabled(true);
    filter->setMaximumWidth(filter->fontMetrics().averageCharWidth() * 32);
    connect(filter, &QLineEdit::textChanged, m_view, [this](const QString& words) { m_view->filter().setWords(words); });

    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(6, 4, 6, 4);
    bar->addWidget(m_summary, 1);
    bar->addWidget(filter, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(bar);
    column->addWidget(m_view);
    setFocusProxy(m_view);

    connect(m_view, &TableView::currentSourceChanged, this, &ProblemsPane::goTo);
    connect(m_view, &QAbstractItemView::clicked, this, [this](const QModelIndex& index) {
        const QModelIndex source = m_view->currentSource();
        if (index.column() == ProblemsModel::CodeColumn && source.isValid())
            m_session.showHelp(text(syntax::id(m_model.row(source.row()).problem)));
        else
            goTo(source);
    });
    connect(m_view, &TableView::sourceActivated, this, &ProblemsPane::goTo);
    connect(m_view, &TableView::menuRequested, this, &ProblemsPane::addFixes);
    connect(&session.documents(), &Documents::currentChanged, this, &ProblemsPane::refresh);
    connect(&session.documents(), &Documents::checked, this, &ProblemsPane::refresh);
    refresh();
}

void ProblemsPane::refresh()
{
    const Document* document = m_session.documents().current();
    const CheckedPtr checked = m_session.selection().checked();
    m_view->changeQuietly([&] {
        if (checked)
            m_model.setProblems(checked->source, checked->diagnostics, checked->clusterSource);
        else
            m_model.setProblems({}, {});
    });
    const bool hasVariants = checked && std::any_of(checked->diagnostics.begin(), checked->diagnostics.end(),
                                                    [](const syntax::Diagnostic& problem) { return !problem.variant.empty(); });
    m_view->setColumnShown(ProblemsModel::VariantColumn, hasVariants);
    if (!document) {
        m_summary->setText(tr("No recipe is open."));
        m_view->setEmptyText(tr("The problems of the recipe you edit are listed here."));
    } else if (!checked) {
        m_summary->setText(tr("Checking\u2026"));
        m_view->setEmptyText({});
    } else {
        m_summary->setText(countsOf(*checked));
        m_view->setEmptyText(tr("No problems found in %1.").arg(document->title));
    }
}

void ProblemsPane::goTo(const QModelIndex& source)
{
    const Document* document = m_session.documents().current();
    if (!document || !source.isValid())
        return;
    const ProblemRow& row = m_model.row(source.row());
    switch (row.problem.source) {
    case syntax::Source::Recipe:
        m_session.documents().goTo(document->id, row.problem.range.begin);
        break;
    case syntax::Source::Cluster:
        if (document->checked->clusterSource)
            m_session.documents().open(text(document->checked->clusterSource->path()), {.variant = {}, .offset = row.problem.range.begin});
        break;
    case syntax::Source::CommandLine:
        break;
    }
}

void ProblemsPane::addFixes(QMenu& menu, const QModelIndex& source)
{
    const Document* document = m_session.documents().current();
    if (!document || !document->checked || !source.isValid())
        return;
    const syntax::Diagnostic& problem = m_model.row(source.row()).problem;
    for (const syntax::Fix& fix : problem.source == syntax::Source::Recipe ? problem.fixes : std::vector<syntax::Fix>()) {
        menu.addAction(text(fix.title), this, [this, fix, id = document->id, version = document->checked->version] {
            m_session.documents().applyFix(id, version, fix);
        });
    }
    menu.addAction(tr("Help on \"%1\"").arg(text(syntax::id(problem))), this,
                   [this, topic = text(syntax::id(problem))] { m_session.showHelp(topic); });
}

} // namespace wb::ui
