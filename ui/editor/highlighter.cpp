#include "ui/editor/highlighter.h"

#include "ui/theme/colours.h"

#include <KSyntaxHighlighting/AbstractHighlighter>
#include <KSyntaxHighlighting/Definition>
#include <KSyntaxHighlighting/Format>
#include <KSyntaxHighlighting/Repository>
#include <KSyntaxHighlighting/State>
#include <KSyntaxHighlighting/Theme>
#include <QElapsedTimer>
#include <QHash>
#include <QPalette>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextLayout>
#include <QTimer>

#include <algorithm>

namespace wb::ui {
namespace {

constexpr int sliceMs = 4;          ///< One slice of the work between two events.
constexpr int longestLine = 20'000; ///< A longer line stays plain: the rules are not linear in it.

/// Loading the definitions' index takes tens of milliseconds: one for all editors.
KSyntaxHighlighting::Repository& repository()
{
    static KSyntaxHighlighting::Repository repository;
    return repository;
}

/// By its name, whatever its case; versions of the library differ in what they call some ("nginx", "Nginx Configuration").
KSyntaxHighlighting::Definition definitionNamed(const QString& name)
{
    const KSyntaxHighlighting::Definition exact = repository().definitionForName(name);
    if (exact.isValid() || name.isEmpty())
        return exact;
    const auto all = repository().definitions();
    const auto found = std::find_if(all.begin(), all.end(), [&name](const KSyntaxHighlighting::Definition& each) {
        return each.name().startsWith(name, Qt::CaseInsensitive);
    });
    return found == all.end() ? exact : *found;
}

struct LineData final : QTextBlockUserData {
    KSyntaxHighlighting::State end;   ///< After the line.
    bool isKnown = false;             ///< `end` was worked out once; it may be stale, see Private::m_staleFrom.
    KSyntaxHighlighting::State guess; ///< After the line, as it was coloured before the work had come this far.
    int coloured = 0;                 ///< Generation of the colours that the line's layout has; 0 for none.
    bool fromKnown = false;           ///< These colours began from a state that was right.
};

} // namespace

class Highlighter::Private final : public KSyntaxHighlighting::AbstractHighlighter
{
public:
    Private(Highlighter& owner, QTextDocument& document)
        : m_owner(owner)
        , m_document(document)
    {
        m_timer.setSingleShot(true);
        m_timer.setInterval(0);
    }

    void restart()
    {
        m_staleFrom = 0;
        m_staleTo = m_document.blockCount() - 1;
        recolour();
    }

    void recolour()
    {
        ++m_generation;
        m_formats.clear();
        showLines(m_first, m_last);
        m_timer.start();
    }

    void changed(int position, int added);
    void showLines(int first, int last);
    void work();
    void setBase(const QPalette& palette);

    [[nodiscard]] bool isFinished() const { return m_staleFrom > m_staleTo; }

    QTimer m_timer;

protected:
    void applyFormat(int offset, int length, const KSyntaxHighlighting::Format& format) override;

private:
    [[nodiscard]] static LineData& dataOf(QTextBlock block);
    [[nodiscard]] KSyntaxHighlighting::State stateBefore(const QTextBlock& block) const;
    KSyntaxHighlighting::State read(const QTextBlock& block, const KSyntaxHighlighting::State& before);
    [[nodiscard]] bool advance();
    [[nodiscard]] const QTextCharFormat& formatOf(const KSyntaxHighlighting::Format& format);

    Highlighter& m_owner;
    QTextDocument& m_document;
    QList<QTextLayout::FormatRange> m_ranges;
    bool m_collect = false;
    QHash<int, QTextCharFormat> m_formats; ///< By the format's id; made anew for another theme.
    QColor m_background = Qt::white;
    int m_generation = 1;
    int m_first = 0; ///< In view.
    int m_last = -1;
    int m_blocks = 1;
    /// Lines whose end state has to be worked out again; beyond them it holds unless the last of them ends in another state than before.
    int m_staleFrom = 0;
    int m_staleTo = -1;
    bool m_inside = false;
};

LineData& Highlighter::Private::dataOf(QTextBlock block)
{
    auto* data = static_cast<LineData*>(block.userData());
    if (!data) {
        data = new LineData;
        block.setUserData(data); // The block owns it.
    }
    return *data;
}

KSyntaxHighlighting::State Highlighter::Private::stateBefore(const QTextBlock& block) const
{
    const QTextBlock previous = block.previous();
    if (!previous.isValid())
        return {};
    const auto* data = static_cast<const LineData*>(previous.userData());
    return data ? data->end : KSyntaxHighlighting::State();
}

KSyntaxHighlighting::State Highlighter::Private::read(const QTextBlock& block, const KSyntaxHighlighting::State& before)
{
    m_ranges.clear();
    const QString text = block.text();
    if (text.size() > longestLine)
        return before;
    return highlightLine(text, before);
}

void Highlighter::Private::applyFormat(int offset, int length, const KSyntaxHighlighting::Format& format)
{
    if (!m_collect || length == 0)
        return;
    const QTextCharFormat& look = formatOf(format);
    if (look.isEmpty())
        return;
    m_ranges.append({.start = offset, .length = length, .format = look});
}

const QTextCharFormat& Highlighter::Private::formatOf(const KSyntaxHighlighting::Format& format)
{
    const auto found = m_formats.constFind(format.id());
    if (found != m_formats.constEnd())
        return *found;
    QTextCharFormat look;
    if (format.hasTextColor(theme()))
        look.setForeground(readable(format.textColor(theme()), m_background));
    if (format.isBold(theme()))
        look.setFontWeight(QFont::Bold);
    if (format.isItalic(theme()))
        look.setFontItalic(true);
    if (format.isUnderline(theme()))
        look.setFontUnderline(true);
    return *m_formats.insert(format.id(), look);
}

void Highlighter::Private::setBase(const QPalette& palette)
{
    m_background = palette.color(QPalette::Base);
    setTheme(repository().themeForPalette(palette));
}

void Highlighter::Private::changed(int position, int added)
{
    const QTextBlock first = m_document.findBlock(position);
    QTextBlock last = m_document.findBlock(position + added);
    if (!last.isValid())
        last = m_document.lastBlock();
    const int more = m_document.blockCount() - m_blocks;
    m_blocks = m_document.blockCount();
    const int from = first.isValid() ? first.blockNumber() : 0;
    const int to = last.blockNumber();
    if (isFinished()) {
        m_staleFrom = from;
        m_staleTo = to;
    } else {
        m_staleTo = std::max(to, m_staleTo >= from ? m_staleTo + more : m_staleTo);
        m_staleFrom = std::min(m_staleFrom >= from ? std::max(from, m_staleFrom + more) : m_staleFrom, from);
    }
    m_staleTo = std::min(m_staleTo, m_blocks - 1);
    int line = from;
    for (QTextBlock block = first; block.isValid() && line <= to; block = block.next(), ++line) {
        if (auto* data = static_cast<LineData*>(block.userData()))
            data->coloured = 0;
    }
    // A key press changes a line or two: what follows in view is right at once, the rest of a long text in the slices.
    m_timer.start();
    if (to - from < 100) {
        QElapsedTimer clock;
        clock.start();
        while (advance() && clock.elapsed() < sliceMs) {
        }
        showLines(m_first, m_last);
    }
}

/// Works out one line; false when nothing is left.
bool Highlighter::Private::advance()
{
    if (isFinished())
        return false;
    const QTextBlock block = m_document.findBlockByNumber(m_staleFrom);
    if (!block.isValid()) {
        m_staleTo = m_staleFrom - 1;
        return false;
    }
    LineData& data = dataOf(block);
    m_collect = false;
    const KSyntaxHighlighting::State end = read(block, stateBefore(block));
    const bool same = data.isKnown && data.end == end;
    data.end = end;
    data.isKnown = true;
    const QTextBlock next = block.next();
    if (next.isValid()) {
        LineData& following = dataOf(next);
        if (!same || !following.fromKnown)
            following.coloured = 0;
        if (!same && m_staleTo == m_staleFrom)
            m_staleTo = m_staleFrom + 1;
    }
    ++m_staleFrom;
    return !isFinished();
}

void Highlighter::Private::work()
{
    QElapsedTimer clock;
    clock.start();
    int lines = 0;
    while (advance()) {
        // Asking the clock costs as much as a short line.
        if (++lines % 16 == 0 && clock.elapsed() >= sliceMs)
            break;
    }
    showLines(m_first, m_last);
    if (!isFinished())
        m_timer.start();
}

void Highlighter::Private::showLines(int first, int last)
{
    m_first = first;
    m_last = last;
    if (m_inside || last < first)
        return;
    m_inside = true;
    QTextBlock block = m_document.findBlockByNumber(first);
    KSyntaxHighlighting::State before = stateBefore(block);
    int dirtyFrom = -1;
    int dirtyTo = -1;
    m_collect = true;
    for (int line = first; block.isValid() && line <= last; block = block.next(), ++line) {
        LineData& data = dataOf(block);
        const bool known = line <= m_staleFrom || isFinished();
        if (!block.isVisible()) { // folded away: its colours are worked out when it is shown
            before = known ? data.end : before;
            continue;
        }
        if (data.coloured == m_generation && (data.fromKnown || !known)) {
            before = known ? data.end : data.guess;
            continue;
        }
        before = read(block, before);
        if (!known)
            data.guess = before; // Made good when the slices arrive here.
        data.coloured = m_generation;
        data.fromKnown = known;
        block.layout()->setFormats(m_ranges);
        if (dirtyFrom < 0)
            dirtyFrom = block.position();
        dirtyTo = block.position() + block.length();
    }
    m_collect = false;
    if (dirtyFrom >= 0) {
        m_document.markContentsDirty(dirtyFrom, dirtyTo - dirtyFrom);
        Q_EMIT m_owner.linesColoured();
    }
    m_inside = false;
}

Highlighter::Highlighter(QTextDocument& document, QObject* parent)
    : QObject(parent)
    , d(std::make_unique<Private>(*this, document))
{
    connect(&d->m_timer, &QTimer::timeout, this, [this] { d->work(); });
    connect(&document, &QTextDocument::contentsChange, this, [this](int position, int, int added) { d->changed(position, added); });
}

Highlighter::~Highlighter() = default;

void Highlighter::setLanguage(const QString& definition)
{
    d->setDefinition(definitionNamed(definition));
    d->restart();
}

void Highlighter::setPalette(const QPalette& palette)
{
    d->setBase(palette);
    d->recolour();
}

void Highlighter::showLines(int first, int last)
{
    d->showLines(first, last);
}

QString Highlighter::commentMark() const
{
    return d->definition().singleLineCommentMarker();
}

bool Highlighter::isFinished() const
{
    return d->isFinished();
}

} // namespace wb::ui
