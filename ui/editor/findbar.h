// The search line below the editor. It says what is sought; the editor looks for it.
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

    void activate(const QString& text); ///< Shows it with this text, unless that is empty, and takes the keyboard.
    [[nodiscard]] QString text() const;
    [[nodiscard]] bool isCaseSensitive() const;
    void setResult(const QString& result, bool found); ///< "3 of 12"

Q_SIGNALS:
    void changed();
    void nextWanted();
    void previousWanted();
    void closed();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    QLineEdit* m_text;
    QToolButton* m_case;
    QLabel* m_result;
};

} // namespace wb::ui
