#include "ui/panes/comparepane.h"

#include "core/base/unifieddiff.h"
#include "ui/editor/recipeeditor.h"
#include "ui/models/text.h"
#include "ui/panes/comparerunspage.h"
#include "ui/panes/messagebar.h"
#include "ui/panes/sidesdelegate.h"
#include "ui/panes/tableview.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace wb::ui {

namespace {

constexpr int runsTab = 2;

} // namespace

ComparePane::ComparePane(Session& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_view(new TableView(&m_model, SidesModel::SortRole, tr("Values side by side"), this))
    , m_summary(new QLabel(this))
    , m_identical(new QCheckBox(tr("Identical values"), this))
    , m_tabs(new QTabWidget(this))
    , m_left(new QComboBox(this))
    , m_right(new QComboBox(this))
    , m_kind(new QComboBox(this))
    , m_text(new RecipeEditor(this))
    , m_messages(new MessageBar(this))
{
    m_view->setObjectName(QStringLiteral("compareView"));
    m_view->setItemDelegate(new SidesDelegate(SidesModel::FromRole, SidesModel::AbsentRole, SidesModel::StandsOut, m_view));
    m_view->setTextElideMode(Qt::ElideMiddle);
    m_view->setEmptyText(tr("Mark recipes in Recipes or jobs in Variants and choose Compare, or drop files here."));
    m_summary->setObjectName(QStringLiteral("compareSummary"));
    m_summary->setWordWrap(true);
    m_summary->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_identical->setObjectName(QStringLiteral("showIdentical"));
    m_identical->setToolTip(tr("Show values that are the same on all sides, too"));
    auto* filter = new QLineEdit(this);
    filter->setPlaceholderText(tr("Filter"));
    filter->setAccessibleName(tr("Filter of the compared values"));
    filter->setClearButtonEnabled(true);
    m_left->setAccessibleName(tr("Left side of the text"));
    m_right->setAccessibleName(tr("Right side of the text"));
    m_kind->setAccessibleName(tr("Which text is compared"));
    m_kind->addItems({tr("Resolved recipe"), tr("File")});
    for (QComboBox* each : {m_left, m_right}) {
        each->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        each->setMinimumContentsLength(12);
        connect(each, &QComboBox::currentIndexChanged, this, &ComparePane::refreshText);
    }
    connect(m_kind, &QComboBox::currentIndexChanged, this, &ComparePane::refreshText);
    auto* swap = new QToolButton(this);
    swap->setText(tr("Swap"));
    swap->setToolTip(tr("Exchange left and right"));
    swap->setAutoRaise(true);
    connect(swap, &QToolButton::clicked, this, &ComparePane::swapSides);
    m_text->setReadOnly(true);
    m_text->setLanguage(QStringLiteral("Diff"));
    m_text->leaveKeysToWindow();
    m_text->setObjectName(QStringLiteral("compareText"));
    m_text->setAccessibleName(tr("Difference of the two texts"));

    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(6, 4, 6, 4);
    bar->addWidget(m_summary, 2);
    bar->addWidget(filter, 1);
    bar->addWidget(m_identical);
    auto* textBar = new QHBoxLayout;
    textBar->setContentsMargins(6, 4, 6, 4);
    textBar->addWidget(m_left, 1);
    textBar->addWidget(swap);
    textBar->addWidget(m_right, 1);
    textBar->addWidget(m_kind);
    auto* textPage = new QWidget(m_tabs);
    auto* textColumn = new QVBoxLayout(textPage);
    textColumn->setContentsMargins(0, 0, 0, 0);
    textColumn->setSpacing(0);
    textColumn->addLayout(textBar);
    textColumn->addWidget(m_text, 1);
    m_tabs->setObjectName(QStringLiteral("compareTabs"));
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(m_view, tr("Values"));
    m_tabs->addTab(textPage, tr("Text"));
    m_tabs->addTab(new CompareRunsPage(session, m_tabs), tr("Runs"));
    m_tabs->tabBar()->setAccessibleName(tr("Views of the comparison"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_messages);
    auto* recipeBar = new QWidget(this);
    recipeBar->setLayout(bar);
    column->addWidget(recipeBar);
    column->addWidget(m_tabs, 1);
    setFocusProxy(m_view);

    connect(filter, &QLineEdit::textChanged, this, [this](const QString& words) {
        m_words = words;
        applyFilter();
    });
    connect(m_identical, &QCheckBox::toggled, this, &ComparePane::applyFilter);
    connect(m_tabs, &QTabWidget::currentChanged, this, [this, recipeBar](int tab) {
        recipeBar->setVisible(tab != runsTab); // it is about recipes
        refreshText();
    });
    connect(&session.runs(), &RunComparison::changed, this, [this] { m_tabs->setCurrentIndex(runsTab); });
    connect(m_view, &TableView::sourceActivated, this, [this] { openSide(m_view->currentIndex().column()); });
    connect(m_view, &TableView::menuRequested, this, [this](QMenu& menu, const QModelIndex&) {
        const auto& result = m_session.comparison().result();
        for (int i = 0; result && i < static_cast<int>(result->sides.size()); ++i) {
            const Compared::Side& side = result->sides[static_cast<std::size_t>(i)];
            if (i < 8 && !side.path.isEmpty())
                menu.addAction(tr("Open %1").arg(side.title), this, [this, i] { openSide(i + 1); });
        }
    });
    connect(&session.comparison(), &Comparison::changed, this, &ComparePane::refresh);
    refresh();
}

void ComparePane::refresh()
{
    const auto& result = m_session.comparison().result();
    if (m_tabs->currentIndex() == runsTab)
        m_tabs->setCurrentIndex(0);
    if (!result) {
        m_summary->setText(m_session.comparison().isRunning() ? tr("Comparing\u2026") : tr("Nothing is compared."));
        return;
    }
    QStringList titles;
    for (const Compared::Side& side : result->sides)
        titles += side.title;
    m_view->changeQuietly([&] { m_model.setSides(result->rows, titles); });
    const int character = m_view->fontMetrics().horizontalAdvance(QLatin1Char('0'));
    m_view->setColumnWidth(0, character * 34);
    for (int column = 1; column < m_model.columnCount(); ++column)
        m_view->setColumnWidth(column, character * (titles.size() > 3 ? 18 : 26));
    const auto different = std::count_if(result->rows.begin(), result->rows.end(), [](const check::SideRow& row) { return !row.isSame; });
    const auto same = static_cast<std::ptrdiff_t>(result->rows.size()) - different;
    QString words = titles.size() < 2 ? tr("Fewer than two jobs take part: there is nothing to compare.")
                                      : tr("%1 jobs").arg(titles.size()) + QStringLiteral(" \u00b7 ") +
                                            tr("%n value(s) differ", nullptr, static_cast<int>(different)) + QStringLiteral(" \u00b7 ") +
                                            tr("%n identical", nullptr, static_cast<int>(same));
    if (titles.size() >= static_cast<qsizetype>(Comparison::mostSides))
        words += QStringLiteral(" \u00b7 ") + tr("no more than %1 are shown").arg(Comparison::mostSides);
    m_summary->setText(words);
    m_identical->setText(tr("Identical values (%1)").arg(same));
    if (result->errors.empty())
        m_messages->hide();
    else
        m_messages->showError(result->errors.front());
    {
        const QSignalBlocker quietLeft(m_left);
        const QSignalBlocker quietRight(m_right);
        m_left->clear();
        m_right->clear();
        m_left->addItems(titles);
        m_right->addItems(titles);
        m_right->setCurrentIndex(std::min(1, static_cast<int>(titles.size()) - 1));
    }
    applyFilter();
    refreshText();
}

void ComparePane::applyFilter()
{
    m_view->filter().setWords(m_words);
    if (m_identical->isChecked())
        m_view->filter().setCondition({});
    else
        m_view->filter().setCondition([](const QModelIndex& index) { return !index.data(SidesModel::SameRole).toBool(); });
}

void ComparePane::refreshText()
{
    const auto& result = m_session.comparison().result();
    const int left = m_left->currentIndex();
    const int right = m_right->currentIndex();
    if (m_tabs->currentIndex() != 1 || !result || left < 0 || right < 0)
        return;
    const Compared::Side& a = result->sides[static_cast<std::size_t>(left)];
    const Compared::Side& b = result->sides[static_cast<std::size_t>(right)];
    const bool isFile = m_kind->currentIndex() == 1;
    const std::string diff = base::unifiedDiff(isFile ? a.checked->source->text() : a.text, isFile ? b.checked->source->text() : b.text,
                                               a.title.toStdString(), b.title.toStdString());
    m_text->setText(diff.empty() ? tr("The texts are the same.") : text(diff));
}

void ComparePane::swapSides()
{
    const int left = m_left->currentIndex();
    m_left->setCurrentIndex(m_right->currentIndex());
    m_right->setCurrentIndex(left);
}

void ComparePane::openSide(int column)
{
    const auto& result = m_session.comparison().result();
    if (!result || column < 1 || column > static_cast<int>(result->sides.size()))
        return;
    const Compared::Side& side = result->sides[static_cast<std::size_t>(column - 1)];
    if (side.path.isEmpty())
        return;
    Target target;
    target.variant = side.checked->variants[side.variant].variant.suffix.value_or(std::string());
    const QModelIndex current = m_view->filter().mapToSource(m_view->currentIndex());
    const check::SideCell* cell = current.isValid() ? m_model.cell(m_model.index(current.row(), column)) : nullptr;
    if (cell && cell->source == syntax::Source::Recipe && !cell->range.isEmpty())
        target.offset = cell->range.begin;
    m_session.documents().open(side.path, target);
}

} // namespace wb::ui
