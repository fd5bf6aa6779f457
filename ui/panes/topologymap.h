#pragma once

#include "ui/shell/session.h"

#include <QWidget>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace wb::ui {

/// The nodes of a job as cards, a cell for each GPU, coloured and lettered by the process that has it, with lines from each prefill worker
/// to the decode workers that it hands its caches to. Arrow keys and clicks choose a process; the card under the mouse tells its ports;
/// Ctrl with the wheel, "+", "-" and "0" zoom.
class TopologyMap final : public QWidget
{
    Q_OBJECT

public:
    explicit TopologyMap(QWidget* parent = nullptr);

    void setDryRun(std::shared_ptr<const DryRun> dryRun); ///< Null, or without a topology: nothing is drawn.
    void setSelected(std::optional<std::size_t> process); ///< Index into the topology's processes.
    [[nodiscard]] std::optional<std::size_t> selected() const { return m_selected; }

    static constexpr double leastZoom = 0.25;
    static constexpr double mostZoom = 3.0;
    void setZoom(double zoom); ///< 1: as large as the window's texts; kept between `leastZoom` and `mostZoom`.
    [[nodiscard]] double zoom() const { return m_zoom; }
    void zoomBy(int steps);
    /// The largest zoom up to 1 at which everything is seen in a view of that size; the least one where none does.
    void fit(const QSize& view);

    void setLinksShown(bool shown);
    /// Prefill and decode process (each the first of its worker) of every line that is drawn: of the selected worker; of all where that
    /// stays readable.
    [[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> shownLinks() const;

    [[nodiscard]] QByteArray svg() const; ///< The whole map at zoom 1; empty when there is nothing to draw.

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;

Q_SIGNALS:
    void processSelected(std::size_t process); ///< By the user.
    void zoomChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Cell {
        std::size_t node = 0;
        std::int64_t gpu = 0;
        std::optional<std::size_t> process; ///< Empty: the GPU is idle.
    };

    /// Sizes at zoom 1, by the font.
    struct Metrics {
        int cellWidth = 1;
        int cellHeight = 1;
        int line = 1; ///< Height of a line of text.
        QSize card;
        int legend = 0;
    };

    [[nodiscard]] const plan::Topology* topology() const;
    void rebuildCells();
    void measure();
    void refreshSize();
    void choose(std::size_t process);
    void moveCursor(int dx, int dy);
    [[nodiscard]] int columns(int width) const;           ///< Of cards, in a widget of that width.
    [[nodiscard]] QRect cardRect(std::size_t node) const; ///< At zoom 1, as all rectangles below.
    [[nodiscard]] QRect cellRect(const Cell& cell) const;
    [[nodiscard]] const Cell* cellAt(const QPoint& position) const; ///< A place of the widget.
    [[nodiscard]] const Cell* cellOf(std::size_t process) const;    ///< Its first one; null: it has no GPU.
    [[nodiscard]] QRect onScreen(const QRect& rect) const;
    [[nodiscard]] bool hasLinks() const;
    void paintMap(QPainter& painter, const QRect& clip) const;
    void paintLegend(QPainter& painter) const;
    void paintCard(QPainter& painter, std::size_t node) const;
    void paintCell(QPainter& painter, const Cell& cell) const;
    void paintLinks(QPainter& painter) const;
    [[nodiscard]] QString nodeRoles(const std::string& node) const;
    [[nodiscard]] QString tip(const Cell& cell) const;

    std::shared_ptr<const DryRun> m_dryRun;
    std::vector<Cell> m_cells; ///< By node, then GPU.
    std::optional<std::size_t> m_selected;
    Metrics m_metrics;
    double m_zoom = 1.0;
    bool m_areLinksShown = true;
};

} // namespace wb::ui
