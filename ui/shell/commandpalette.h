#pragma once

#include <QFrame>
#include <QString>

#include <functional>
#include <vector>

class QLineEdit;
class QTreeView;
class QStandardItemModel;

namespace wb::ui {

/// A list to choose from by typing: commands, recipes, variants.
class CommandPalette final : public QFrame
{
    Q_OBJECT

public:
    struct Item {
        QString id; ///< For "recent first"; empty: not remembered.
        QString title;
        QString detail; ///< Shown dimmed at the right: shortcut, folder.
        QString whyNot; ///< Why it cannot be chosen; empty: it can.
        std::function<void()> run;
    };

    explicit CommandPalette(QWidget* window);

    /// Items keep their order where the pattern does not decide; `recent` ids come first.
    void open(const QString& prompt, std::vector<Item> items, const QStringList& recent = {});

Q_SIGNALS:
    void chosen(const QString& id);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void refill();
    void place();
    void runCurrent();
    void moveCurrent(int rows);

    QLineEdit* m_edit;
    QTreeView* m_list;
    QStandardItemModel* m_model;
    std::vector<Item> m_items;
};

} // namespace wb::ui
