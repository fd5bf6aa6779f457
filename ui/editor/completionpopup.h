// The list of completions at the cursor, with the words about the chosen one beside it. It never has the keyboard: the text keeps it, and
// hands over the keys that choose.
#pragma once

#include "core/assist/completion.h"

#include <QFrame>
#include <QRect>

#include <optional>
#include <vector>

class QLabel;
class QListView;

namespace wb::ui {

class CompletionModel;

class CompletionPopup final : public QFrame
{
    Q_OBJECT

public:
    explicit CompletionPopup(QWidget* parent);
    ~CompletionPopup() override;

    /// Shows them below (or above) the word, which is in global coordinates. `choose`: the first one is chosen already, so that Enter takes
    /// it.
    void showFor(std::vector<assist::Completion> items, const QString& typed, const QRect& word, bool choose);
    /// Takes the keys of the list. True: it was one.
    bool handleKey(int key, Qt::KeyboardModifiers modifiers);
    [[nodiscard]] const assist::Completion* chosen() const; ///< Null: none.
    [[nodiscard]] std::vector<QString> labels() const;

Q_SIGNALS:
    void accepted(const wb::assist::Completion& item);

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void choose(int row);
    void showDoc();
    void place(const QRect& word);

    CompletionModel* m_model;
    QListView* m_list;
    QLabel* m_doc;
    QRect m_word;
};

} // namespace wb::ui
