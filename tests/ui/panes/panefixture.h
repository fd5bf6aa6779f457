// A pane over a session of its own: its parts by name, and what its tables show.
#pragma once

#include "tests/ui/shell/sessionfixture.h"
#include "ui/panes/tableview.h"

#include <QWidget>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace wb::ui::test {

class PaneTest : public SessionTest
{
protected:
    template <typename Pane>
    void makePane()
    {
        pane = std::make_unique<Pane>(session);
        pane->resize(1000, 800);
        pane->show();
    }

    template <typename Widget>
    [[nodiscard]] Widget& child(const char* name) const
    {
        auto* found = pane->findChild<Widget*>(QString::fromLatin1(name));
        if (!found)
            throw std::runtime_error(std::string("the pane has no ") + name);
        return *found;
    }

    /// Cells of a column of a table, as they are shown.
    [[nodiscard]] std::vector<std::string> column(const char* view, int number) const
    {
        const QAbstractItemModel& model = *child<TableView>(view).model();
        std::vector<std::string> out;
        for (int row = 0; row < model.rowCount(); ++row)
            out.push_back(model.index(row, number).data().toString().toStdString());
        return out;
    }

    std::unique_ptr<QWidget> pane;
};

} // namespace wb::ui::test
