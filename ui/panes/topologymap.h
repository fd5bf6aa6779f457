#pragma once

#include "ui/shell/session.h"

#include <QWidget>

#include <memory>
#include <optional>

namespace wb::ui {

/// The nodes of a job as cards, a cell for each GPU, coloured and lettered by the process that has it. Arrow keys and clicks choose a
/// process; the card under the mouse tells its ports.
class TopologyMap final : public QWidget
{
    Q_OBJECT

public:
    explicit TopologyMap(QWidget* parent = nullptr);

    void setDryRun(std::shared_ptr<const DryRun> dryRun); ///< Null, or without a topology: nothing is drawn.
    void setSelected(std::optional<std::size_t> process); ///< Index into the topology's processes.
    [[nodiscard]] std::optional<std::size_t> selected() const { return m_selected; }

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;

Q_SIGNALS:
    void processSelected(std::size_t process); ///< By the user.

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Cell {
        std::size_t node = 0;
        std::int64_t gpu = 0;
        std::optional<std::size_t> process; ///< Empty: the GPU is idle.
    };

    [[nodiscard]] const plan::Topology* topology() const;
    void rebuildCells();
    void choose(std::size_t process);
    void moveCursor(int dx, int dy);
    [[nodiscard]] int cellWidth() const;
    [[nodiscard]] int cellHeight() const;
    [[nodiscard]] QSize cardSize() const;
    [[nodiscard]] int columns(int width) const;
    [[nodiscard]] QRect cardRect(std::size_t node) const;
    [[nodiscard]] QRect cellRect(const Cell& cell) const;
    [[nodiscard]] const Cell* cellAt(const QPoint& position) const;
    [[nodiscard]] int legendHeight() const;
    void paintLegend(QPainter& painter) const;
    void paintCard(QPainter& painter, std::size_t node) const;
    void paintCell(QPainter& painter, const Cell& cell) const;
    [[nodiscard]] QString nodeRoles(const std::string& node) const;
    [[nodiscard]] QString tip(const Cell& cell) const;

    std::shared_ptr<const DryRun> m_dryRun;
    std::vector<Cell> m_cells; ///< By node, then GPU.
    std::optional<std::size_t> m_selected;
};

} // namespace wb::ui
