// Colours a document by a KSyntaxHighlighting definition without ever holding up the keyboard: lines get their colours when they come
// into view, and what a line needs to know of the lines before it is worked out in small slices in between.
#pragma once

#include <QObject>
#include <QString>

#include <memory>

class QPalette;
class QTextDocument;

namespace wb::ui {

class Highlighter final : public QObject
{
    Q_OBJECT

public:
    explicit Highlighter(QTextDocument& document, QObject* parent = nullptr);
    ~Highlighter() override;

    /// "YAML", "JSON", "Bash", ...; an unknown name gives plain text.
    void setLanguage(const QString& definition);
    void setPalette(const QPalette& palette);
    /// The lines (blocks from 0) that are in view now; they are coloured at once.
    void showLines(int first, int last);
    /// What the definition starts a comment with; empty when it has none.
    [[nodiscard]] QString commentMark() const;
    [[nodiscard]] bool isFinished() const; ///< Nothing is left to be worked out.

Q_SIGNALS:
    void linesColoured(); ///< Lines in view changed their colours.

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace wb::ui
