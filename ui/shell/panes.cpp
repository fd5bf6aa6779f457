#include "ui/shell/panes.h"

#include "ui/panes/artifactspane.h"
#include "ui/panes/clusterpane.h"
#include "ui/panes/comparepane.h"
#include "ui/panes/formpane.h"
#include "ui/panes/frontierpane.h"
#include "ui/panes/helppane.h"
#include "ui/panes/importpane.h"
#include "ui/panes/jobspane.h"
#include "ui/panes/logpane.h"
#include "ui/panes/outlinepane.h"
#include "ui/panes/problemspane.h"
#include "ui/panes/recipespane.h"
#include "ui/panes/resultspane.h"
#include "ui/panes/snapshotpane.h"
#include "ui/panes/taskspane.h"
#include "ui/panes/topologypane.h"
#include "ui/panes/variantspane.h"

#include <QCoreApplication>

namespace wb::ui {

namespace {

template <typename Widget>
QWidget* make(Session& session, QWidget* parent)
{
    return new Widget(session, parent);
}

constexpr Pane all[] = {
    {"recipes", QT_TRANSLATE_NOOP("wb::ui::Pane", "Recipes"), "Ctrl+1", Qt::LeftDockWidgetArea, make<RecipesPane>},
    {"variants", QT_TRANSLATE_NOOP("wb::ui::Pane", "Variants"), "Ctrl+2", Qt::RightDockWidgetArea, make<VariantsPane>},
    {"problems", QT_TRANSLATE_NOOP("wb::ui::Pane", "Problems"), "Ctrl+3", Qt::BottomDockWidgetArea, make<ProblemsPane>},
    {"artifacts", QT_TRANSLATE_NOOP("wb::ui::Pane", "Artifacts"), "Ctrl+4", Qt::RightDockWidgetArea, make<ArtifactsPane>},
    {"topology", QT_TRANSLATE_NOOP("wb::ui::Pane", "Topology"), "Ctrl+5", Qt::RightDockWidgetArea, make<TopologyPane>},
    {"results", QT_TRANSLATE_NOOP("wb::ui::Pane", "Results"), "Ctrl+6", Qt::BottomDockWidgetArea, make<ResultsPane>},
    {"frontier", QT_TRANSLATE_NOOP("wb::ui::Pane", "Frontier"), "Ctrl+7", Qt::RightDockWidgetArea, make<FrontierPane>},
    {"outline", QT_TRANSLATE_NOOP("wb::ui::Pane", "Outline"), "Ctrl+8", Qt::LeftDockWidgetArea, make<OutlinePane>},
    {"log", QT_TRANSLATE_NOOP("wb::ui::Pane", "Log"), "Ctrl+9", Qt::BottomDockWidgetArea, make<LogPane>},
    {"form", QT_TRANSLATE_NOOP("wb::ui::Pane", "Form"), "Ctrl+Shift+F", Qt::LeftDockWidgetArea, make<FormPane>},
    {"compare", QT_TRANSLATE_NOOP("wb::ui::Pane", "Compare"), "Ctrl+Shift+D", Qt::BottomDockWidgetArea, make<ComparePane>},
    {"cluster", QT_TRANSLATE_NOOP("wb::ui::Pane", "Cluster"), "Ctrl+Shift+L", Qt::RightDockWidgetArea, make<ClusterPane>},
    {"jobs", QT_TRANSLATE_NOOP("wb::ui::Pane", "Jobs"), "Ctrl+Shift+J", Qt::BottomDockWidgetArea, make<JobsPane>},
    {"snapshot", QT_TRANSLATE_NOOP("wb::ui::Pane", "Snapshot"), "Ctrl+Shift+N", Qt::RightDockWidgetArea, make<SnapshotPane>},
    {"tasks", QT_TRANSLATE_NOOP("wb::ui::Pane", "Tasks"), "Ctrl+Shift+T", Qt::BottomDockWidgetArea, make<TasksPane>},
    {"import", QT_TRANSLATE_NOOP("wb::ui::Pane", "Import report"), "Ctrl+Shift+6", Qt::BottomDockWidgetArea, make<ImportPane>},
    {"help", QT_TRANSLATE_NOOP("wb::ui::Pane", "Help"), "", Qt::RightDockWidgetArea, make<HelpPane>},
};

} // namespace

std::span<const Pane> panes()
{
    return all;
}

} // namespace wb::ui
