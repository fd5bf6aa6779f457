#include "ui/models/text.h"

#include <algorithm>
#include <cmath>

namespace wb::ui {

QString text(std::string_view utf8)
{
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

QString dash()
{
    return QStringLiteral("\u2014");
}

QString number(std::optional<double> value, int digits)
{
    if (!value || std::isnan(*value))
        return dash();
    if (std::isinf(*value))
        return *value > 0 ? QStringLiteral("\u221e") : QStringLiteral("-\u221e");
    const double magnitude = std::abs(*value);
    if (magnitude < 1e15 && *value == std::floor(*value))
        return QString::number(*value, 'f', 0);
    if (magnitude >= 1e-4 && magnitude < 1e15) {
        const int whole = magnitude >= 1 ? static_cast<int>(std::floor(std::log10(magnitude))) + 1 : 1;
        QString shown = QString::number(*value, 'f', std::max(0, digits - whole));
        if (shown.contains(QLatin1Char('.'))) {
            while (shown.endsWith(QLatin1Char('0')))
                shown.chop(1);
            if (shown.endsWith(QLatin1Char('.')))
                shown.chop(1);
        }
        return shown;
    }
    return QString::number(*value, 'g', digits);
}

QString wholeNumber(std::int64_t value)
{
    return QString::number(value);
}

QString byteCount(std::size_t bytes)
{
    if (bytes < 1024)
        return QStringLiteral("%1 B").arg(bytes);
    const double kib = static_cast<double>(bytes) / 1024.0;
    if (kib < 1024)
        return QStringLiteral("%1 KiB").arg(kib, 0, 'f', 1);
    return QStringLiteral("%1 MiB").arg(kib / 1024.0, 0, 'f', 1);
}

QString duration(std::optional<double> hours)
{
    if (!hours)
        return dash();
    const auto seconds = static_cast<std::int64_t>(std::llround(*hours * 3600.0));
    return QStringLiteral("%1:%2:%3")
        .arg(seconds / 3600)
        .arg(seconds / 60 % 60, 2, 10, QLatin1Char('0'))
        .arg(seconds % 60, 2, 10, QLatin1Char('0'));
}

} // namespace wb::ui
