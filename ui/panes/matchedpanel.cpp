#include "ui/panes/matchedpanel.h"

#include "core/base/text.h"
#include "ui/models/text.h"
#include "ui/panes/tableview.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace wb::ui {

MatchedPanel::MatchedPanel(QWidget* parent)
    : QWidget(parent)
    , m_view(new TableView(&m_model, MatchedModel::SortRole, tr("Groups compared"), this))
    , m_x(new QLineEdit(this))
    , m_baselines(new QComboBox(this))
    , m_note(new QLabel(this))
{
    setObjectName(QStringLiteral("matchedPanel"));
    m_view->setObjectName(QStringLiteral("matchedView"));
    m_view->setColumnWidths({24, 10, 12, 26, 26, 16, 10, 20, 12});
    m_view->setEmptyText(tr("There are no groups to compare."));
    m_x->setObjectName(QStringLiteral("matchedX"));
    m_x->setAccessibleName(tr("x at which the groups are compared"));
    m_x->setPlaceholderText(tr("any: the best within the limits"));
    m_x->setClearButtonEnabled(true);
    m_baselines->setObjectName(QStringLiteral("matchedBaseline"));
    m_baselines->setAccessibleName(tr("Baseline of the comparison"));
    m_baselines->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_baselines->setMinimumContentsLength(12);
    m_note->setObjectName(QStringLiteral("matchedNote"));
    m_note->setWordWrap(true);
    m_note->setContentsMargins(6, 0, 6, 2);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(6, 4, 6, 2);
    const auto labelled = [&](const QString& words, QWidget* buddy) {
        auto* label = new QLabel(words, this);
        label->setBuddy(buddy);
        bar->addWidget(label);
        bar->addWidget(buddy, 1);
    };
    labelled(tr("Compare at &x ="), m_x);
    labelled(tr("against &baseline"), m_baselines);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(bar);
    column->addWidget(m_note);
    column->addWidget(m_view, 1);
    setFocusProxy(m_x);

    connect(m_x, &QLineEdit::textChanged, this, &MatchedPanel::refresh);
    connect(m_baselines, &QComboBox::activated, this, [this](int index) {
        m_baseline = m_baselines->itemData(index).toString().toStdString();
        refresh();
    });
    const auto want = [this](const QModelIndex& source) {
        if (const PointId& id = m_model.row(source.row()).nearest; !id.isEmpty())
            Q_EMIT pointWanted(id);
    };
    connect(m_view, &TableView::currentSourceChanged, this, want);
    connect(m_view, &TableView::sourceActivated, this, want);
}

void MatchedPanel::setChart(std::shared_ptr<const analysis::Chart> chart, std::vector<bool> hidden)
{
    m_chart = std::move(chart);
    m_hidden = std::move(hidden);
    refresh();
}

void MatchedPanel::setHidden(std::vector<bool> hidden)
{
    m_hidden = std::move(hidden);
    refresh();
}

std::optional<double> MatchedPanel::x() const
{
    return base::numberOf(m_x->text().trimmed().toStdString());
}

std::string MatchedPanel::baseline() const
{
    return m_baseline;
}

void MatchedPanel::setRequest(std::optional<double> x, const std::string& baseline)
{
    m_baseline = baseline;
    m_x->setText(x ? text(base::textOf(*x)) : QString());
    refresh();
}

void MatchedPanel::fillBaselines()
{
    const QSignalBlocker quiet(m_baselines);
    m_baselines->clear();
    m_baselines->addItem(tr("first group with a value"), QString());
    for (const analysis::MatchedGroup& group : m_comparison.groups)
        m_baselines->addItem(text(group.key), text(group.key));
    m_baselines->setCurrentIndex(std::max(0, m_baselines->findData(text(m_baseline))));
}

void MatchedPanel::refresh()
{
    if (!m_chart) {
        m_model.clear();
        return;
    }
    m_comparison = analysis::matchedComparison(*m_chart, {.x = x(), .baseline = m_baseline, .hidden = m_hidden});
    fillBaselines();
    m_view->changeQuietly([this] { m_model.setComparison(m_comparison, *m_chart); });
    const bool isNoNumber = !m_x->text().trimmed().isEmpty() && !x();
    QString note = isNoNumber ? tr("\"%1\" is no number; the best of each group is shown. ").arg(m_x->text().trimmed()) : QString();
    note += x() ? tr("%1 at %2 = %3").arg(text(m_chart->y.title), text(m_chart->x.title), number(x(), 6))
                : tr("Best %1 within the limits").arg(text(m_chart->y.title));
    note += m_comparison.common ? tr("; areas over x from %1 to %2, which all frontiers have in common.")
                                      .arg(number(m_comparison.common->from, 4), number(m_comparison.common->to, 4))
                                : tr("; the frontiers have no range of x in common, so there is no area over it.");
    m_note->setText(note);
}

} // namespace wb::ui
