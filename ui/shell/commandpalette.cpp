#include "ui/shell/commandpalette.h"

#include "ui/shell/fuzzy.h"

#include <QEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPointer>
#include <QStandardItemModel>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace wb::ui {

namespace {

constexpr int indexRole = Qt::UserRole;
constexpr std::size_t mostShown = 200;

} // namespace

CommandPalette::CommandPalette(QWidget* window)
    : QFrame(window)
    , m_edit(new QLineEdit(this))
    , m_list(new QTreeView(this))
    , m_model(new QStandardItemModel(this))
{
    setObjectName(QStringLiteral("commandPalette"));
    setFrameShape(QFrame::StyledPanel);
    setFrameShadow(QFrame::Raised);
    setAutoFillBackground(true);
    m_edit->setObjectName(QStringLiteral("paletteEdit"));
    m_edit->setAccessibleName(tr("Search"));
    m_edit->setClearButtonEnabled(true);
    m_list->setObjectName(QStringLiteral("paletteList"));
    m_list->setAccessibleName(tr("Found"));
    m_list->setModel(m_model);
    m_list->setHeaderHidden(true);
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(6, 6, 6, 6);
    column->setSpacing(4);
    column->addWidget(m_edit);
    column->addWidget(m_list);
    connect(m_edit, &QLineEdit::textChanged, this, &CommandPalette::refill);
    connect(m_list, &QAbstractItemView::clicked, this, &CommandPalette::runCurrent);
    m_edit->installEventFilter(this);
    window->installEventFilter(this);
    hide();
}

void CommandPalette::open(const QString& prompt, std::vector<Item> items, const QStringList& recent)
{
    m_items = std::move(items);
    std::stable_sort(m_items.begin(), m_items.end(), [&](const Item& a, const Item& b) {
        const auto rank = [&](const Item& item) {
            const qsizetype at = item.id.isEmpty() ? -1 : recent.indexOf(item.id);
            return at < 0 ? recent.size() : at;
        };
        return std::pair(!a.whyNot.isEmpty(), rank(a)) < std::pair(!b.whyNot.isEmpty(), rank(b)); // what can be had before what cannot
    });
    m_edit->setPlaceholderText(prompt);
    m_edit->clear();
    refill();
    place();
    show();
    raise();
    m_edit->setFocus(Qt::PopupFocusReason);
}

void CommandPalette::place()
{
    const QWidget* window = parentWidget();
    const int width = std::min(window->width() - 40, std::max(window->width() / 2, 560));
    const int height = std::min(window->height() - 120, 420);
    setGeometry((window->width() - width) / 2, 48, width, height);
    const int detail = fontMetrics().horizontalAdvance(QLatin1Char('0')) * 34;
    m_list->header()->setStretchLastSection(false);
    m_list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_list->header()->setSectionResizeMode(1, QHeaderView::Fixed);
    m_list->header()->resizeSection(1, std::min(detail, width / 2));
}

void CommandPalette::refill()
{
    struct Found {
        std::size_t index;
        int score;
    };
    const QString pattern = m_edit->text();
    std::vector<Found> found;
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        if (pattern.trimmed().isEmpty())
            found.push_back({i, 0});
        else if (const auto score = fuzzyScore(pattern, m_items[i].title))
            found.push_back({i, *score});
    }
    std::stable_sort(found.begin(), found.end(), [this](const Found& a, const Found& b) {
        return std::pair(m_items[a.index].whyNot.isEmpty(), a.score) > std::pair(m_items[b.index].whyNot.isEmpty(), b.score);
    });
    if (found.size() > mostShown)
        found.resize(mostShown);
    m_model->clear();
    m_model->setColumnCount(2);
    for (const Found& each : found) {
        const Item& item = m_items[each.index];
        auto* title = new QStandardItem(item.title);
        auto* detail = new QStandardItem(item.detail);
        detail->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        detail->setForeground(palette().color(QPalette::PlaceholderText));
        title->setData(QVariant::fromValue<qulonglong>(each.index), indexRole);
        title->setToolTip(item.whyNot.isEmpty() ? item.title : item.whyNot);
        title->setEnabled(item.whyNot.isEmpty());
        detail->setEnabled(item.whyNot.isEmpty());
        m_model->appendRow({title, detail});
    }
    m_list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_list->setCurrentIndex(m_model->index(0, 0));
}

void CommandPalette::runCurrent()
{
    const QModelIndex index = m_list->currentIndex().siblingAtColumn(0);
    if (!index.isValid() || !index.flags().testFlag(Qt::ItemIsEnabled))
        return;
    const Item item = m_items[index.data(indexRole).toULongLong()];
    hide();
    if (!item.id.isEmpty())
        Q_EMIT chosen(item.id);
    item.run();
}

void CommandPalette::moveCurrent(int rows)
{
    const int count = m_model->rowCount();
    if (count == 0)
        return;
    const int row = std::clamp(m_list->currentIndex().row() + rows, 0, count - 1);
    m_list->setCurrentIndex(m_model->index(row, 0));
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == parentWidget()) {
        if (event->type() == QEvent::Resize && isVisible())
            place();
        return false;
    }
    if (event->type() == QEvent::FocusOut) {
        // The list is below the edit and takes no focus itself, so that the focus went elsewhere: away.
        hide();
        return false;
    }
    if (event->type() != QEvent::KeyPress)
        return false;
    switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Escape:
        hide();
        parentWidget()->setFocus();
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        runCurrent();
        return true;
    case Qt::Key_Up:
        moveCurrent(-1);
        return true;
    case Qt::Key_Down:
        moveCurrent(1);
        return true;
    case Qt::Key_PageUp:
        moveCurrent(-10);
        return true;
    case Qt::Key_PageDown:
        moveCurrent(10);
        return true;
    default:
        return false;
    }
}

} // namespace wb::ui
