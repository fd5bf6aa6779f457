#include "ui/charts/scales.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace wb::ui::charts {
namespace {

constexpr double autoLogRatio = 30.0;
constexpr double room = 0.05; ///< Share of the span left free on each side.

/// 1, 2 or 5 times a power of ten, such that the span holds at most `most` steps.
double niceStep(double length, int most)
{
    const double rough = length / std::max(1, most);
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (power * factor >= rough)
            return power * factor;
    }
    return power * 10.0;
}

/// The digits behind the point that tell the steps apart.
QString numberAt(double value, double step)
{
    if (std::abs(value) < step / 1000)
        value = 0.0;
    const double largest = std::max(std::abs(value), step);
    if (largest >= 1e5 || (value != 0.0 && std::abs(value) < 1e-4))
        return shortNumber(value);
    const int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 9);
    return QString::number(value, 'f', decimals);
}

std::vector<Tick> multiples(double from, double to, double step)
{
    std::vector<Tick> made;
    if (!std::isfinite(step) || step <= 0.0)
        return made;
    const double first = std::ceil(from / step - 1e-9);
    const int count = static_cast<int>(std::clamp(std::floor(to / step + 1e-9) - first + 1, 0.0, 100.0));
    for (int i = 0; i < count; ++i)
        made.push_back({.place = (first + i) * step, .label = numberAt((first + i) * step, step)});
    return made;
}

/// Multiples of a nice step. The step is taken finer when only one of them falls within.
std::vector<Tick> evenTicks(double from, double to, int most)
{
    std::vector<Tick> made = multiples(from, to, niceStep(to - from, most));
    for (int finer = most + 1; made.size() < 2 && finer <= 3 * most + 3; ++finer)
        made = multiples(from, to, niceStep(to - from, finer));
    return made;
}

std::vector<Tick> decadeTicks(const Span& span, std::span<const double> factors, int stride)
{
    std::vector<Tick> made;
    const auto first = static_cast<int>(std::floor(span.from));
    const auto last = static_cast<int>(std::ceil(span.to));
    for (int power = first - ((first % stride + stride) % stride); power <= last && made.size() < 400; power += stride) {
        for (const double factor : factors) {
            const double place = power + std::log10(factor);
            if (place >= span.from - 1e-9 && place <= span.to + 1e-9)
                made.push_back({.place = place, .label = shortNumber(factor * std::pow(10.0, power))});
        }
    }
    return made;
}

std::vector<Tick> logTicks(const Span& span, int most)
{
    static constexpr std::array all = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0};
    static constexpr std::array some = {1.0, 2.0, 5.0};
    static constexpr std::array few = {1.0, 3.0};
    static constexpr std::array one = {1.0};
    const auto fits = [most](const std::vector<Tick>& made) { return made.size() >= 3 && made.size() <= static_cast<std::size_t>(most); };
    using Factors = std::span<const double>;
    for (const Factors factors : {Factors(some), Factors(few), Factors(one), Factors(all)}) {
        std::vector<Tick> made = decadeTicks(span, factors, 1);
        if (fits(made))
            return made;
    }
    for (const int stride : {2, 3, 5, 10, 20, 50, 100}) {
        std::vector<Tick> made = decadeTicks(span, one, stride);
        if (fits(made))
            return made;
    }
    // Less than about a decade: round values, at their logarithms.
    std::vector<Tick> made = evenTicks(std::pow(10.0, span.from), std::pow(10.0, span.to), most);
    for (Tick& tick : made)
        tick.place = std::log10(tick.place);
    return made;
}

} // namespace

std::optional<double> AxisScale::place(double value) const
{
    if (!std::isfinite(value) || (isLog && value <= 0.0))
        return std::nullopt;
    return isLog ? std::log10(value) : value;
}

double AxisScale::value(double place) const
{
    return isLog ? std::pow(10.0, place) : place;
}

void ValueRange::add(double value)
{
    if (!std::isfinite(value))
        return;
    least = finite == 0 ? value : std::min(least, value);
    most = finite == 0 ? value : std::max(most, value);
    ++finite;
    if (value > 0.0) {
        leastPositive = positive == 0 ? value : std::min(leastPositive, value);
        ++positive;
    }
}

bool isLogarithmic(Scale scale, const ValueRange& values)
{
    switch (scale) {
    case Scale::Linear:
        return false;
    case Scale::Log:
        return values.positive > 0;
    case Scale::Auto:
        break;
    }
    return values.positive > 0 && values.positive == values.finite && values.most >= autoLogRatio * values.least;
}

Span fullSpan(const ValueRange& values, bool isLog)
{
    if (values.finite == 0 || (isLog && values.positive == 0))
        return isLog ? Span{0.0, 1.0} : Span{0.0, 1.0};
    double from = isLog ? std::log10(values.leastPositive) : values.least;
    double to = isLog ? std::log10(values.most) : values.most;
    if (!isLog && values.least >= 0.0 && values.least < 0.6 * values.most)
        return {0.0, to * (1.0 + room)};
    double length = to - from;
    if (length <= std::max(std::abs(from), std::abs(to)) * 1e-12) {
        length = isLog ? 0.3 : std::max(std::abs(to) * 0.2, 1e-12);
        from -= length / 2;
        to += length / 2;
    }
    from -= length * room;
    to += length * room;
    if (!isLog && values.least >= 0.0)
        from = std::max(from, 0.0);
    return {from, to};
}

std::vector<Tick> ticks(const Span& span, bool isLog, int most)
{
    if (!(span.length() > 0.0) || !std::isfinite(span.length()))
        return {};
    return isLog ? logTicks(span, std::max(3, most)) : evenTicks(span.from, span.to, std::max(2, most));
}

QString shortNumber(double value)
{
    if (value == 0.0)
        return QStringLiteral("0");
    if (!std::isfinite(value))
        return QStringLiteral("—");
    struct Suffix {
        double factor;
        QLatin1String text;
    };
    static const std::array suffixes = {Suffix{1e12, QLatin1String("T")}, Suffix{1e9, QLatin1String("G")}, Suffix{1e6, QLatin1String("M")},
                                        Suffix{1e3, QLatin1String("k")}};
    const double size = std::abs(value);
    if (size >= 1e15 || size < 1e-4)
        return QString::number(value, 'g', 4);
    if (size >= 1e4) {
        for (const Suffix& suffix : suffixes) {
            if (size >= suffix.factor)
                return QString::number(value / suffix.factor, 'g', 4) + suffix.text;
        }
    }
    // 'g' would turn to exponents: give the digits that four significant ones leave.
    const int decimals = std::clamp(3 - static_cast<int>(std::floor(std::log10(size))), 0, 8);
    QString text = QString::number(value, 'f', decimals);
    if (text.contains(u'.')) {
        while (text.endsWith(u'0'))
            text.chop(1);
        if (text.endsWith(u'.'))
            text.chop(1);
    }
    return text;
}

} // namespace wb::ui::charts
