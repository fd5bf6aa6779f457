#include "tests/support/launches.h"

#include "core/base/text.h"

namespace wb::test {

std::string inTheirTerms(std::string text)
{
    if (text.find('<') == std::string::npos)
        return text;
    for (int node = 0; node < 64; ++node) {
        std::string name = std::to_string(node);
        name = "node" + std::string(3 - name.size(), '0') + name;
        text = base::replacedAll(text, "<" + name + "-ip>", "10.0.0." + std::to_string(node + 1));
    }
    text = base::replacedAll(text, "<JOB_ID>", "4242");
    return base::replacedAll(text, "<UUID>", std::string(32, '0'));
}

std::vector<std::string> texts(const base::json::Value* list)
{
    std::vector<std::string> out;
    if (list)
        for (const base::json::Value& item : list->array())
            out.push_back(item.string() ? *item.string() : "?");
    return out;
}

std::map<std::string, std::string> textMap(const base::json::Value* object)
{
    std::map<std::string, std::string> out;
    if (object)
        for (const auto& member : object->object())
            out[member.key] = member.value.string() ? *member.value.string() : "?";
    return out;
}

} // namespace wb::test
