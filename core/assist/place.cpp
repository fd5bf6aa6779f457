#include "core/assist/place.h"

#include <algorithm>

namespace wb::assist {

using syntax::Range;
using Id = Skeleton::Id;
using Kind = Skeleton::Kind;
using Style = Skeleton::Style;

namespace {

class Finder
{
public:
    Finder(const Document& document, std::size_t offset)
        : m_document(document)
        , m_skeleton(document.skeleton())
        , m_text(document.text())
        , m_offset(std::min(offset, document.text().size()))
    {
        m_lineBegin = m_offset;
        while (m_lineBegin > 0 && m_text[m_lineBegin - 1] != '\n' && m_text[m_lineBegin - 1] != '\r')
            --m_lineBegin;
    }

    Place find()
    {
        if (m_skeleton.isInComment(m_offset))
            return m_out;
        const Id last = m_skeleton.lastBefore(m_offset);
        if (last != Skeleton::none) {
            if (const Id owner = blockAround(last); owner != Skeleton::none) {
                ofValue(owner, Side::Text);
                return finished();
            }
            if (findInNode(last))
                return finished();
        }
        newKey(last);
        return finished();
    }

private:
    Place finished()
    {
        m_out.meaning = meaningOf(m_document, m_out.path);
        return std::move(m_out);
    }

    /// The node whose block scalar has the offset in its body.
    [[nodiscard]] Id blockAround(Id last) const
    {
        const Skeleton::Node& node = m_skeleton.node(last);
        if (node.style != Style::Block || m_offset <= lineEnd(node.value.begin))
            return Skeleton::none;
        if (m_offset <= node.value.end)
            return last;
        // Behind the last line: still in it when the line is blank and stands further in.
        const bool isBlank = m_text.find_first_not_of(" \t\r\n", node.value.end) >= m_offset;
        return isBlank && m_offset - m_lineBegin > node.column ? last : Skeleton::none;
    }

    [[nodiscard]] std::size_t lineEnd(std::size_t at) const
    {
        const std::size_t end = m_text.find_first_of("\r\n", at);
        return end == std::string_view::npos ? m_text.size() : end;
    }

    /// Key, value or flow collection of the last node that begins before the cursor, or of one around it.
    bool findInNode(Id last)
    {
        const Skeleton::Node& node = m_skeleton.node(last);
        if (node.kind != Kind::Item && node.key.begin <= m_offset && m_offset <= node.key.end) {
            ofKey(last);
            return true;
        }
        // Within brackets the innermost open collection decides.
        for (Id id = last; id != Skeleton::none; id = m_skeleton.node(id).parent) {
            const Skeleton::Node& each = m_skeleton.node(id);
            const bool isFlow = each.style == Style::FlowMap || each.style == Style::FlowList;
            const bool isClosed =
                each.value.end > each.value.begin + 1 && (m_text[each.value.end - 1] == ']' || m_text[each.value.end - 1] == '}');
            const bool isInside =
                isFlow && each.value.begin < m_offset && (m_offset < each.value.end || (!isClosed && m_offset <= lineEnd(each.value.end)));
            if (!isInside)
                continue;
            inFlow(id, last);
            return true;
        }
        if (node.kind == Kind::Word)
            return false;
        const bool isOnItsLine = m_lineBegin <= node.begin;
        const bool isInValue = !node.value.isEmpty() && node.value.begin <= m_offset && m_offset <= node.value.end;
        if (isInValue || (isOnItsLine && m_offset >= node.valueBegin && node.value.isEmpty())) {
            ofValue(last, Side::Value);
            return true;
        }
        if (isOnItsLine && m_offset < node.value.begin && m_offset >= node.valueBegin) { // blanks or an anchor before the value
            ofValue(last, Side::Value);
            m_out.word = {m_offset, m_offset};
            m_out.prefix.clear();
            m_out.quote = '\0';
            return true;
        }
        if (isOnItsLine) { // behind the value: nothing can be written here
            m_out.side = Side::Comment;
            m_out.path = m_skeleton.pathOf(last);
            m_out.node = last;
            return true;
        }
        return false;
    }

    void inFlow(Id collection, Id last)
    {
        const Skeleton::Node& around = m_skeleton.node(collection);
        const Skeleton::Node& node = m_skeleton.node(last);
        const bool isMap = around.style == Style::FlowMap;
        m_out.isFlow = true;
        if (last != collection && node.parent == collection) {
            const bool isInValue = !node.value.isEmpty() && node.value.begin <= m_offset && m_offset <= node.value.end;
            const std::string_view between = m_offset >= node.end ? m_text.substr(node.end, m_offset - node.end) : std::string_view();
            const bool isStillOpen = between.find_first_not_of(" \t") == std::string_view::npos;
            if (isInValue || (isMap && node.hasColon && node.value.isEmpty() && isStillOpen)) {
                ofValue(last, Side::Value);
                m_out.isFlow = true;
                return;
            }
        }
        m_out.word = {m_offset, m_offset};
        if (isMap) {
            m_out.side = Side::Key;
            m_out.parent = collection;
            m_out.path = m_skeleton.pathOf(collection);
            return;
        }
        m_out.side = Side::Value;
        m_out.node = collection;
        m_out.path = m_skeleton.pathOf(collection);
        m_out.path.push_back({{}, m_skeleton.children(collection).size()});
    }

    void ofKey(Id id)
    {
        const Skeleton::Node& node = m_skeleton.node(id);
        m_out.side = Side::Key;
        m_out.node = id;
        m_out.parent = node.parent;
        if (node.parent != Skeleton::none)
            m_out.path = m_skeleton.pathOf(node.parent);
        m_out.word = node.key;
        m_out.column = node.column;
        m_out.isFlow = node.isFlow;
        m_out.hasColon = node.hasColon;
        takePrefix();
        if (node.kind == Kind::Word && !node.isFlow)
            atHome(id);
    }

    /// A word in typing stands where it will be a key; a wrong indentation is put right with the completion.
    void atHome(Id id)
    {
        const Skeleton::Node& node = m_skeleton.node(id);
        const std::size_t lineBegin = node.begin - node.column;
        const bool isAlone = m_text.substr(lineBegin, node.column).find_first_not_of(' ') == std::string_view::npos;
        if (!isAlone)
            return;
        m_out.indent = {lineBegin, node.begin};
        settle(id == 0 ? Skeleton::none : id - 1, node.column);
    }

    void takePrefix()
    {
        std::size_t begin = m_out.word.begin;
        if (begin < m_out.word.end && (m_text[begin] == '"' || m_text[begin] == '\'')) {
            m_out.quote = m_text[begin];
            ++begin;
        }
        if (m_offset > begin)
            m_out.prefix = std::string(m_text.substr(begin, std::min(m_offset, m_out.word.end) - begin));
    }

    void ofValue(Id id, Side side)
    {
        const Skeleton::Node& node = m_skeleton.node(id);
        m_out.side = side;
        m_out.node = id;
        m_out.parent = node.parent;
        m_out.path = m_skeleton.pathOf(id);
        m_out.isFlow = node.isFlow;
        m_out.word = node.value.isEmpty() ? Range{m_offset, m_offset} : node.value;
        takePrefix();
    }

    /// A place where no key stands yet: on a blank line, at the begin of a line, behind everything.
    void newKey(Id last)
    {
        const std::string_view before = m_text.substr(m_lineBegin, m_offset - m_lineBegin);
        const std::size_t ownEnd = lineEnd(m_offset);
        const std::string_view behind = m_text.substr(m_offset, ownEnd - m_offset);
        const bool isBlankLine =
            before.find_first_not_of(' ') == std::string_view::npos && behind.find_first_not_of(" \t") == std::string_view::npos;
        m_out.word = {m_offset, m_offset};
        if (!isBlankLine) {
            m_out.side = Side::Comment;
            return;
        }
        m_out.side = Side::Key;
        m_out.indent = {m_lineBegin, m_offset};
        settle(last, static_cast<std::uint32_t>(before.size()));
    }

    /// The mapping that a key at this column would belong to, given what stands before it.
    void settle(Id last, std::uint32_t column)
    {
        Id at = last;
        while (at != Skeleton::none && (m_skeleton.node(at).isFlow || m_skeleton.node(at).kind == Kind::Word))
            at = m_skeleton.node(at).kind == Kind::Word && m_skeleton.node(at).parent == Skeleton::none && at > 0
                     ? at - 1
                     : m_skeleton.node(at).parent;
        // The nearest node that stands further out; one with a value of its own cannot hold keys, so its mapping is meant.
        while (at != Skeleton::none && m_skeleton.node(at).column >= column)
            at = m_skeleton.node(at).parent;
        std::uint32_t home = column;
        if (at != Skeleton::none && m_skeleton.node(at).style != Style::Empty) {
            home = m_skeleton.node(at).column;
            at = m_skeleton.node(at).parent;
        }
        m_out.parent = at;
        m_out.path = at == Skeleton::none ? Path{} : m_skeleton.pathOf(at);
        m_out.column = home;
        const auto keys = m_skeleton.children(at);
        const auto sibling = std::find_if(keys.begin(), keys.end(), [&](Id id) {
            return m_skeleton.node(id).kind == Kind::Key && id != m_out.node && !m_skeleton.node(id).isFlow;
        });
        if (sibling != keys.end())
            m_out.column = m_skeleton.node(*sibling).column;
        else if (at == Skeleton::none)
            m_out.column = 0;
    }

    const Document& m_document;
    const Skeleton& m_skeleton;
    std::string_view m_text;
    std::size_t m_offset;
    std::size_t m_lineBegin = 0;
    Place m_out;
};

} // namespace

Place placeAt(const Document& document, std::size_t offset)
{
    return Finder(document, offset).find();
}

} // namespace wb::assist
