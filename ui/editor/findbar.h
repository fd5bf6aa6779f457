// The search lines below the editor. They say what is sought and what replaces it; the editor does both.
#pragma once

#include <QWidget>

class QLabel;
class QLineEdit;
class QToolButton;

namespace wb::ui {

class FindBar final : public QWidget
{
    Q_OBJECT

public:
    explicit FindBar(QWidget* parent);

    /// Shows it with this text, unless that is empty, and takes the keyboard; with the line for the replacement if that is wanted.
    void activate(const QString& text, bool replace);
    void setMayReplace(bool may); ///< False: a text that cannot be changed.
    [[nodiscard]] QString text() const;
    [[nodiscard]] QString replacement() const;
    [[nodiscard]] bool isCaseSensitive() const;
    [[nodiscard]] bool isWholeWord() const;
    [[nodiscard]] bool isExpression() const;                             ///< The text is a regular expression.
    void setResult(const QString& result, bool found, bool bad = false); ///< "3 of 12"; `bad`: the expression cannot be read.

Q_SIGNALS:
    void changed();
    void nextWanted();
    void previousWanted();
    void replaceWanted();
    void replaceAllWanted();
    void closed();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    QLineEdit* m_text;
    QLineEdit* m_replacement;
    QToolButton* m_case;
    QToolButton* m_word;
    QToolButton* m_expression;
    QLabel* m_result;
    QWidget* m_second;
    bool m_mayReplace = true;
};

} // namespace wb::ui
