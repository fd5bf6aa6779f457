#include "ui/shell/fuzzy.h"

#include <QStringList>

#include <algorithm>

namespace wb::ui {

namespace {

bool beginsWord(const QString& text, qsizetype at)
{
    return at == 0 || !text[at - 1].isLetterOrNumber() || (text[at].isUpper() && text[at - 1].isLower());
}

std::optional<int> scoreFrom(const QString& word, const QString& text, qsizetype from)
{
    int score = 0;
    qsizetype at = from;
    qsizetype before = -2;
    for (const QChar letter : word) {
        at = text.indexOf(letter, at, Qt::CaseInsensitive);
        if (at < 0)
            return std::nullopt;
        score += at == before + 1 ? 5 : 1;
        score += beginsWord(text, at) ? 8 : 0;
        before = at++;
    }
    return score - static_cast<int>(std::min<qsizetype>(before - from, 40)) / 4;
}

std::optional<int> wordScore(const QString& word, const QString& text)
{
    std::optional<int> best;
    for (qsizetype at = text.indexOf(word[0], 0, Qt::CaseInsensitive); at >= 0; at = text.indexOf(word[0], at + 1, Qt::CaseInsensitive)) {
        const auto score = scoreFrom(word, text, at);
        if (!score)
            break;
        best = std::max(best.value_or(*score), *score);
    }
    return best;
}

} // namespace

std::optional<int> fuzzyScore(const QString& pattern, const QString& text)
{
    int sum = 0;
    for (const QString& word : pattern.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        const auto score = wordScore(word, text);
        if (!score)
            return std::nullopt;
        sum += *score;
    }
    return sum * 4 - static_cast<int>(std::min<qsizetype>(text.size(), 200)) / 8;
}

} // namespace wb::ui
