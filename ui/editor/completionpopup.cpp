#include "ui/editor/completionpopup.h"

#include "ui/theme/colours.h"

#include <QAbstractListModel>
#include <QEvent>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QListView>
#include <QPainter>
#include <QScreen>
#include <QScrollBar>
#include <QStyledItemDelegate>

#include <algorithm>
#include <array>

namespace wb::ui {
namespace {

constexpr int mostRows = 10;
constexpr int docWidth = 330;
constexpr int widestList = 440;

QString textOf(const std::string& text)
{
    return QString::fromStdString(text);
}

/// The kind of a completion as a letter in a colour, and as a word.
struct Badge {
    assist::CompletionKind kind;
    const char* letter;
    QRgb colour;
    const char* word;
};

constexpr std::array badges = {
    Badge{assist::CompletionKind::Key, "k", 0x0072b2, QT_TRANSLATE_NOOP("wb::ui::CompletionPopup", "key")},
    Badge{assist::CompletionKind::Section, "s", 0xcc79a7, QT_TRANSLATE_NOOP("wb::ui::CompletionPopup", "section")},
    Badge{assist::CompletionKind::Flag, "f", 0xd55e00, QT_TRANSLATE_NOOP("wb::ui::CompletionPopup", "engine flag")},
    Badge{assist::CompletionKind::Choice, "c", 0x009e73, QT_TRANSLATE_NOOP("wb::ui::CompletionPopup", "choice")},
    Badge{assist::CompletionKind::Switch, "b", 0x009e73, QT_TRANSLATE_NOOP("wb::ui::CompletionPopup", "true or false")},
    Badge{assist::CompletionKind::Alias, "a", 0x56b4e9, QT_TRANSLATE_NOOP("wb::ui::CompletionPopup", "name of the cluster file")},
    Badge{assist::CompletionKind::Placeholder, "{", 0xe69f00, QT_TRANSLATE_NOOP("wb::ui::CompletionPopup", "sweep parameter")},
    Badge{assist::CompletionKind::Anchor, "*", 0xcc79a7, QT_TRANSLATE_NOOP("wb::ui::CompletionPopup", "anchor")},
    Badge{assist::CompletionKind::Value, "v", 0x808080, QT_TRANSLATE_NOOP("wb::ui::CompletionPopup", "value")},
    Badge{assist::CompletionKind::Parameter, "p", 0xe69f00, QT_TRANSLATE_NOOP("wb::ui::CompletionPopup", "sweep parameter")},
};

const Badge& badgeOf(assist::CompletionKind kind)
{
    return *std::find_if(badges.begin(), badges.end(), [kind](const Badge& each) { return each.kind == kind; });
}

/// Positions of the label's letters that the typed ones stand for.
std::vector<int> matched(const QString& typed, const QString& label)
{
    const auto plain = [](QString text) { return text.toLower().replace(u'_', u'-'); };
    const QString sought = plain(typed);
    const QString text = plain(label);
    std::vector<int> out;
    const qsizetype whole = text.indexOf(sought);
    qsizetype at = 0;
    for (qsizetype i = 0; i < sought.size(); ++i) {
        at = whole >= 0 ? whole + i : text.indexOf(sought[i], at);
        if (at < 0)
            return {};
        out.push_back(static_cast<int>(at));
        if (whole < 0)
            ++at;
    }
    return out;
}

} // namespace

class CompletionModel final : public QAbstractListModel
{
public:
    using QAbstractListModel::QAbstractListModel;

    void set(std::vector<assist::Completion> items, const QString& typed)
    {
        beginResetModel();
        m_items = std::move(items);
        m_typed = typed;
        endResetModel();
    }
    [[nodiscard]] const std::vector<assist::Completion>& items() const { return m_items; }
    [[nodiscard]] const QString& typed() const { return m_typed; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override
    {
        return parent.isValid() ? 0 : static_cast<int>(m_items.size());
    }
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override
    {
        if (!checkIndex(index, CheckIndexOption::IndexIsValid))
            return {};
        const assist::Completion& item = m_items[static_cast<std::size_t>(index.row())];
        if (role == Qt::DisplayRole)
            return textOf(item.label);
        if (role == Qt::AccessibleTextRole) {
            return QStringLiteral("%1, %2, %3").arg(textOf(item.label), CompletionPopup::tr(badgeOf(item.kind).word), textOf(item.detail));
        }
        return {};
    }

private:
    std::vector<assist::Completion> m_items;
    QString m_typed;
};

namespace {

class RowPainter final : public QStyledItemDelegate
{
public:
    RowPainter(CompletionModel& model, QObject* parent)
        : QStyledItemDelegate(parent)
        , m_model(model)
    {
    }

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const assist::Completion& item = m_model.items()[static_cast<std::size_t>(index.row())];
        const int words = option.fontMetrics.horizontalAdvance(textOf(item.label) + QStringLiteral("    ") + textOf(item.detail));
        return {words + option.fontMetrics.height() + 24, option.fontMetrics.height() + 6};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const assist::Completion& item = m_model.items()[static_cast<std::size_t>(index.row())];
        const bool isChosen = option.state.testFlag(QStyle::State_Selected);
        const QColor front = option.palette.color(isChosen ? QPalette::HighlightedText : QPalette::Text);
        // The words keep their colour, and the ground is made to suit them.
        const QColor back = isChosen ? readable(option.palette.color(QPalette::Highlight), front) : option.palette.color(QPalette::Base);
        painter->save();
        painter->fillRect(option.rect, back);
        painter->setRenderHint(QPainter::Antialiasing);
        const Badge& badge = badgeOf(item.kind);
        const int side = option.fontMetrics.height() - 2;
        const QRectF box(option.rect.left() + 5, option.rect.center().y() - side / 2.0 + 0.5, side, side);
        const QColor base = option.palette.color(QPalette::Base);
        const QColor tint = blended(QColor(badge.colour), base, 0.22);
        painter->setPen(Qt::NoPen);
        painter->setBrush(tint);
        painter->drawRoundedRect(box, 3, 3);
        QFont small = option.font;
        small.setPointSizeF(small.pointSizeF() * 0.82);
        small.setBold(true);
        painter->setFont(small);
        painter->setPen(readable(QColor(badge.colour), tint));
        painter->drawText(box, Qt::AlignCenter, QString::fromLatin1(badge.letter));

        QRect words = option.rect.adjusted(side + 12, 0, -8, 0);
        QFont bold = option.font;
        bold.setBold(true);
        const QString label = textOf(item.label);
        const std::vector<int> hits = matched(m_model.typed(), label);
        int x = words.left();
        const int y = option.rect.center().y() + option.fontMetrics.ascent() / 2 - 1;
        painter->setPen(item.isDoubtful ? readable(blended(front, back, 0.6), back) : front);
        for (int i = 0; i < label.size();) { // runs of letters that were typed, and that were not
            const bool isHit = std::find(hits.begin(), hits.end(), i) != hits.end();
            int end = i + 1;
            while (end < label.size() && (std::find(hits.begin(), hits.end(), end) != hits.end()) == isHit)
                ++end;
            QFont font = isHit ? bold : option.font;
            font.setStrikeOut(item.isDoubtful);
            painter->setFont(font);
            const QString run = label.mid(i, end - i);
            painter->drawText(x, y, run);
            x += QFontMetrics(font).horizontalAdvance(run);
            i = end;
        }
        words.setLeft(x + option.fontMetrics.horizontalAdvance(QStringLiteral("  ")));
        painter->setFont(option.font);
        painter->setPen(readable(blended(front, back, 0.62), back));
        if (words.width() > 30) {
            const QString detail = option.fontMetrics.elidedText(textOf(item.detail), Qt::ElideRight, words.width());
            painter->drawText(words, Qt::AlignRight | Qt::AlignVCenter, detail);
        }
        painter->restore();
    }

private:
    CompletionModel& m_model;
};

} // namespace

CompletionPopup::CompletionPopup(QWidget* parent)
    : QFrame(parent, Qt::ToolTip)
    , m_model(new CompletionModel(this))
    , m_list(new QListView(this))
    , m_doc(new QLabel(this))
{
    setObjectName(QStringLiteral("completionPopup"));
    setAttribute(Qt::WA_ShowWithoutActivating);
    setAccessibleName(tr("Completions"));
    m_list->setObjectName(QStringLiteral("completionList"));
    m_list->setAccessibleName(tr("Completions"));
    m_list->setModel(m_model);
    m_list->setItemDelegate(new RowPainter(*m_model, m_list));
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setUniformItemSizes(true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerItem);
    m_list->setSelectionMode(QAbstractItemView::SingleSelection);
    m_doc->setObjectName(QStringLiteral("completionDoc"));
    m_doc->setTextFormat(Qt::RichText);
    m_doc->setWordWrap(true);
    m_doc->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_doc->setContentsMargins(10, 8, 10, 8);
    m_doc->setFixedWidth(docWidth);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(1, 1, 1, 1);
    row->setSpacing(1);
    row->addWidget(m_list);
    row->addWidget(m_doc, 0, Qt::AlignTop);
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this, [this] { showDoc(); });
    connect(m_list, &QListView::clicked, this, [this](const QModelIndex& index) {
        choose(index.row());
        if (const assist::Completion* item = chosen())
            Q_EMIT accepted(*item);
    });
}

CompletionPopup::~CompletionPopup() = default;

void CompletionPopup::showFor(std::vector<assist::Completion> items, const QString& typed, const QRect& word, bool choose)
{
    if (items.empty()) {
        hide();
        return;
    }
    m_model->set(std::move(items), typed);
    if (choose)
        this->choose(0);
    else
        m_list->setCurrentIndex({});
    showDoc();
    place(word);
}

void CompletionPopup::place(const QRect& word)
{
    m_word = word;
    const int rows = std::min(m_model->rowCount(), mostRows);
    const int height = rows * m_list->sizeHintForRow(0);
    int width = 220;
    for (int i = 0; i < std::min(m_model->rowCount(), 3 * mostRows); ++i)
        width = std::max(width, m_list->sizeHintForIndex(m_model->index(i)).width());
    if (m_model->rowCount() > mostRows)
        width += m_list->verticalScrollBar()->sizeHint().width();
    width = std::min(width, widestList);
    m_list->setFixedWidth(width);
    m_list->setMinimumHeight(height);
    m_doc->setMinimumHeight(0);
    const int docHeight = m_doc->isVisibleTo(this) ? m_doc->heightForWidth(docWidth) : 0;
    // A frame's own size hint is nothing, and the layout's minimum is that of the list before.
    const int docRoom = m_doc->isVisibleTo(this) ? docWidth + layout()->spacing() : 0;
    setFixedSize(width + docRoom + 2, std::max(height, std::min(docHeight, 360)) + 2);
    layout()->activate();
    const QRect available = parentWidget()->screen()->availableGeometry();
    QPoint corner(word.left() - m_list->fontMetrics().height() - 12, word.bottom() + 3);
    if (corner.y() + this->height() > available.bottom())
        corner.setY(word.top() - 3 - this->height());
    corner.setX(std::clamp(corner.x(), available.left(), std::max(available.left(), available.right() - this->width())));
    move(corner);
    show();
    raise();
}

void CompletionPopup::choose(int row)
{
    m_list->setCurrentIndex(m_model->index(row));
    m_list->scrollTo(m_list->currentIndex());
}

const assist::Completion* CompletionPopup::chosen() const
{
    const QModelIndex index = m_list->currentIndex();
    return index.isValid() ? &m_model->items()[static_cast<std::size_t>(index.row())] : nullptr;
}

std::vector<QString> CompletionPopup::labels() const
{
    std::vector<QString> out;
    for (const assist::Completion& item : m_model->items())
        out.push_back(textOf(item.label));
    return out;
}

void CompletionPopup::showDoc()
{
    const assist::Completion* item = chosen();
    if (!item && m_model->rowCount() > 0)
        item = &m_model->items().front();
    const bool has = item && !(item->doc.empty() && item->detail.empty());
    const bool wasVisible = m_doc->isVisibleTo(this);
    m_doc->setVisible(has);
    if (!has) {
        if (isVisible() && wasVisible)
            place(m_word);
        return;
    }
    const QColor quiet = quietText(palette());
    QString html = QStringLiteral("<b>%1</b> <span style=\"color:%2\">%3</span>")
                       .arg(textOf(item->label).toHtmlEscaped(), quiet.name(), tr(badgeOf(item->kind).word));
    if (!item->detail.empty())
        html += QStringLiteral("<div style=\"color:%1;margin-top:3px\">%2</div>").arg(quiet.name(), textOf(item->detail).toHtmlEscaped());
    if (!item->doc.empty())
        html += QStringLiteral("<div style=\"margin-top:6px\">%1</div>").arg(textOf(item->doc).toHtmlEscaped());
    m_doc->setText(html);
    if (isVisible())
        place(m_word); // larger or smaller by what is told
}

bool CompletionPopup::handleKey(int key, Qt::KeyboardModifiers modifiers)
{
    if (!isVisible() || (modifiers & ~Qt::KeypadModifier) != Qt::NoModifier)
        return false;
    const int rows = m_model->rowCount();
    const int now = m_list->currentIndex().isValid() ? m_list->currentIndex().row() : -1;
    switch (key) {
    case Qt::Key_Down:
        choose(now + 1 >= rows ? 0 : now + 1);
        return true;
    case Qt::Key_Up:
        choose(now <= 0 ? rows - 1 : now - 1);
        return true;
    case Qt::Key_PageDown:
        choose(std::min(rows - 1, std::max(now, 0) + mostRows - 1));
        return true;
    case Qt::Key_PageUp:
        choose(std::max(0, now - mostRows + 1));
        return true;
    case Qt::Key_Escape:
        hide();
        return true;
    case Qt::Key_Tab:
        if (now < 0)
            choose(0);
        [[fallthrough]];
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (const assist::Completion* item = chosen()) {
            const assist::Completion taken = *item;
            hide();
            Q_EMIT accepted(taken);
            return true;
        }
        hide();
        return false;
    default:
        return false;
    }
}

void CompletionPopup::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Window));
    painter.setPen(blended(palette().color(QPalette::WindowText), palette().color(QPalette::Window), 0.3));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void CompletionPopup::changeEvent(QEvent* event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        hide();
}

} // namespace wb::ui
