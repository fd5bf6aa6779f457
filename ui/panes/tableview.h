#pragma once

#include "ui/panes/filterproxy.h"

#include <QTreeView>

#include <functional>
#include <map>
#include <vector>

namespace wb::ui {

/// The list or tree of a pane: sorted and filtered by a proxy, copied by rows with Ctrl+C, its current row kept through every change of
/// the model. Says a sentence where there is nothing to show.
class TableView final : public QTreeView
{
    Q_OBJECT

public:
    /// `name` is read by screen readers.
    TableView(QAbstractItemModel* model, int sortRole, const QString& name, QWidget* parent = nullptr);

    [[nodiscard]] FilterProxy& filter() { return m_filter; }
    void setEmptyText(const QString& text);
    /// Widths in characters of the view's font; columns beyond the list keep theirs. The column `stretched` takes what is left, and never
    /// less than its own width.
    void setColumnWidths(std::initializer_list<int> characters, int stretched = -1);

    /// The widths that the user gave to columns, as text to keep ("0:120,3:64"); empty: none. Columns without a width of their own in
    /// `setColumnWidths` are not among them: they may be other ones the next time.
    [[nodiscard]] QString userWidths() const;
    void setUserWidths(const QString& kept); ///< What `userWidths` told; what is no such text counts for nothing.

    /// Shows or hides a column; the stretched one takes or gives the room.
    void setColumnShown(int column, bool isShown);

    [[nodiscard]] QModelIndex currentSource() const;       ///< Of the model behind the proxy; invalid: none.
    [[nodiscard]] QModelIndexList selectedSources() const; ///< One for each selected row.
    /// Makes the row current and visible without `currentSourceChanged`; an invalid index clears the selection.
    void showCurrent(const QModelIndex& source);
    /// Changes the model; a current row that moves or goes by that is not the user's doing.
    void changeQuietly(const std::function<void()>& change);

    /// The role that copies take their cells from; the shown text until it is set.
    void setCopyRole(int role) { m_copyRole = role; }
    void copySelection() const; ///< Rows as lines, cells apart by tabs.
    void copyTable() const;     ///< All rows that are shown, with the titles of the columns, as tab-separated values.

Q_SIGNALS:
    void currentSourceChanged(const QModelIndex& source);       ///< By the user.
    void sourceActivated(const QModelIndex& source);            ///< Enter or double click.
    void menuRequested(QMenu& menu, const QModelIndex& source); ///< Add to the context menu of that row.

protected:
    void paintEvent(QPaintEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    [[nodiscard]] QString cellsOf(const QModelIndex& row) const;

    FilterProxy m_filter;
    int m_copyRole = Qt::DisplayRole;
    QString m_emptyText;
    std::vector<int> m_widths; ///< In pixels, by column.
    std::map<int, int> m_userWidths;
    int m_stretched = -1;
    int m_leastStretched = 0;
    bool m_isQuiet = false;
    bool m_isArranging = false; ///< A column gets its width by the view, not by the user.

    void applyWidths(int first); ///< To the columns from that one on.
    void stretch();
    void takeWidth(int column, int before, int now);
    void editRow(); ///< Of the current row what can be changed: the current cell, else the first one.
    void addSorting(QMenu& menu);
};

} // namespace wb::ui
