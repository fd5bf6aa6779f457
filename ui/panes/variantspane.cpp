#include "ui/panes/variantspane.h"

#include "ui/models/text.h"
#include "ui/panes/severitydelegate.h"
#include "ui/panes/tableview.h"

#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QVBoxLayout>

namespace wb::ui {

QString variantsSummary(const check::Checked& checked)
{
    std::int64_t gpus = 0;
    double gpuHours = 0.0;
    int noJob = 0;
    int noTime = 0;
    int duplicates = 0;
    for (const check::CheckedVariant& variant : checked.variants) {
        duplicates += variant.duplicateOf ? 1 : 0;
        if (!variant.job) {
            ++noJob;
            continue;
        }
        gpus += variant.counts.gpusAllocated;
        const auto hours = variant.counts.gpuHours();
        noTime += hours ? 0 : 1;
        gpuHours += hours.value_or(0.0);
    }
    const int count = static_cast<int>(checked.variants.size());
    QStringList parts{VariantsPane::tr("%n job(s)", nullptr, count)};
    if (noJob < count) {
        parts += VariantsPane::tr("%1 GPUs").arg(gpus);
        parts += noTime + noJob < count ? VariantsPane::tr("%1 GPU-h").arg(number(gpuHours, 4)) : VariantsPane::tr("GPU-h not known");
    }
    if (noJob > 0)
        parts += VariantsPane::tr("%n with errors, not counted", nullptr, noJob);
    if (noTime > 0 && noTime + noJob < count)
        parts += VariantsPane::tr("%n without a time limit", nullptr, noTime);
    if (duplicates > 0)
        parts += VariantsPane::tr("%n duplicate(s)", nullptr, duplicates);
    return parts.join(QStringLiteral(" \u00b7 "));
}

VariantsPane::VariantsPane(Session& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_view(new TableView(&m_model, VariantsModel::SortRole, tr("Variants"), this))
    , m_summary(new QLabel(this))
{
    m_view->setObjectName(QStringLiteral("variantsView"));
    m_view->setSelectionMode(QAbstractItemView::SingleSelection);
    m_view->setItemDelegateForColumn(VariantsModel::NameColumn, new SeverityDelegate(VariantsModel::SeverityRole, m_view));
    m_view->setColumnWidths({18, 13, 17, 5, 5, 8, 6, 12, 20});
    m_view->setTextElideMode(Qt::ElideMiddle);
    // Its name tells it already.
    m_view->header()->moveSection(m_view->header()->visualIndex(VariantsModel::SuffixColumn), VariantsModel::ProblemsColumn);
    m_summary->setObjectName(QStringLiteral("variantsSummary"));
    m_summary->setWordWrap(true);
    m_summary->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* filter = new QLineEdit(this);
    filter->setPlaceholderText(tr("Filter"));
    filter->setAccessibleName(tr("Filter of the variants"));
    filter->setClearButtonEnabled(true);
    connect(filter, &QLineEdit::textChanged, m_view, [this](const QString& words) { m_view->filter().setWords(words); });

    auto* bar = new QVBoxLayout;
    bar->setContentsMargins(6, 4, 6, 4);
    bar->addWidget(m_summary);
    bar->addWidget(filter);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(bar);
    column->addWidget(m_view);
    setFocusProxy(m_view);

    connect(m_view, &TableView::currentSourceChanged, this,
            [this](const QModelIndex& source) { m_session.selection().setVariant(m_model.row(source.row()).index); });
    connect(m_view, &TableView::sourceActivated, this, &VariantsPane::goToSource);
    connect(m_view, &TableView::menuRequested, this, [this](QMenu& menu, const QModelIndex& source) {
        if (source.isValid())
            menu.addAction(tr("Show in the recipe"), this, [this, at = QPersistentModelIndex(source)] { goToSource(at); });
    });
    connect(&session.selection(), &Selection::variantChanged, this, &VariantsPane::refresh);
    refresh();
}

void VariantsPane::refresh()
{
    const CheckedPtr checked = m_session.selection().checked();
    m_view->changeQuietly([&] { m_model.setVariants(checked); });
    m_view->setColumnHidden(VariantsModel::SuffixColumn,
                            !checked || checked->form == expand::Form::Sweep || checked->form == expand::Form::Plain);
    m_view->setColumnHidden(VariantsModel::ParamsColumn, !checked || checked->form == expand::Form::Plain);
    const auto variant = m_session.selection().variant();
    m_view->showCurrent(variant ? m_model.index(static_cast<int>(*variant), 0) : QModelIndex());
    m_summary->setText(checked ? variantsSummary(*checked) : tr("No recipe is open."));
    m_view->setEmptyText(checked ? tr("The recipe stands for no job: see Problems.")
                                 : tr("The jobs that a recipe stands for are listed here."));
}

void VariantsPane::goToSource(const QModelIndex& source)
{
    const Document* document = m_session.documents().current();
    if (document && source.isValid())
        m_session.documents().goTo(document->id, m_model.row(source.row()).variant().variant.sectionRange.begin);
}

} // namespace wb::ui
