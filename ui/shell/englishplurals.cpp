#include "ui/shell/englishplurals.h"

#include <string_view>

namespace wb::ui {

QString EnglishPlurals::translate(const char* /*context*/, const char* sourceText, const char* /*disambiguation*/, int n) const
{
    const std::string_view source(sourceText);
    if (n < 0 || source.find("(s)") == std::string_view::npos)
        return {}; // The text as it stands.
    return QString::fromUtf8(sourceText).replace(QLatin1String("(s)"), n == 1 ? QLatin1String() : QLatin1String("s"));
}

} // namespace wb::ui
