#include "tests/support/marked.h"

namespace wb::test {

Marked::Marked(std::string_view marked)
{
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < marked.size(); ++i) {
        const std::string_view two = marked.substr(i, 2);
        if (two == "[[") {
            open.push_back(m_ranges.size());
            m_ranges.push_back({m_text.size(), m_text.size()});
            ++i;
        } else if (two == "]]" && !open.empty()) {
            m_ranges[open.back()].end = m_text.size();
            open.pop_back();
            ++i;
        } else if (two == "^^") {
            m_text.push_back('^');
            ++i;
        } else if (marked[i] == '^') {
            m_cursors.push_back(m_text.size());
        } else {
            m_text.push_back(marked[i]);
        }
    }
}

std::shared_ptr<const syntax::SourceText> Marked::source(std::string path) const
{
    return std::make_shared<syntax::SourceText>(m_text, std::move(path));
}

} // namespace wb::test
