#pragma once

#include "core/base/result.h"
#include "core/snapshot/payoff.h"
#include "core/snapshot/startupimport.h"

#include <QWidget>

#include <cstdint>
#include <memory>
#include <vector>

class QPainter;

namespace wb::ui::charts {

enum class StartupView : std::uint8_t {
    Bars,      ///< Cold start and restore of each group, with the speed-up.
    Phases,    ///< Where the time of a checkpoint and a restore goes.
    BreakEven, ///< GPU time of so many starts, cold and restored.
    Trend,     ///< Restores over nights.
};

/// What is drawn. Groups and trends point into the runs.
struct StartupPicture {
    std::shared_ptr<const snapshot::StartupImport> runs;
    std::vector<snapshot::StartupGroup> groups;
    std::vector<snapshot::Trend> trends;
    std::size_t group = 0; ///< The one whose break-even is drawn.
};

/// Cold starts against restores. Painted by hand: bars in pairs with words, hatches for what is not accounted for or not comparable, and a
/// line for each night have no place in a chart library of series over one axis. The table beside it says the same in words.
class StartupChart final : public QWidget
{
    Q_OBJECT

public:
    explicit StartupChart(QWidget* parent = nullptr);

    void setPicture(StartupPicture picture);
    void setView(StartupView view);
    void setLogarithmic(bool isLogarithmic); ///< The time axis of the bars.
    void setShares(bool areShares);          ///< Phases as parts of 100 %.

    /// The suffix says how: .png (at twice the size) or .svg. Dark on white, whatever the desktop looks like.
    [[nodiscard]] Result<void> write(const QString& file) const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    class Painting;

    void refresh();
    void draw(QPainter& painter, const QSizeF& size, const QPalette& colours) const;

    StartupPicture m_picture;
    StartupView m_view = StartupView::Bars;
    bool m_isLogarithmic = true;
    bool m_areShares = false;
};

} // namespace wb::ui::charts
