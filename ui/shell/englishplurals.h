#pragma once

#include <QTranslator>

namespace wb::ui {

/// Plural forms of the texts as they stand in the sources: tr("%n job(s)", nullptr, 1) becomes "1 job", with 2 "2 jobs". A translation to
/// another language has its own forms and is asked first when it is installed later.
class EnglishPlurals final : public QTranslator
{
    Q_OBJECT

public:
    using QTranslator::QTranslator;

    [[nodiscard]] bool isEmpty() const override { return false; }
    [[nodiscard]] QString translate(const char* context, const char* sourceText, const char* disambiguation, int n) const override;
};

} // namespace wb::ui
