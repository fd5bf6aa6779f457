#include "ui/panes/rerunmenu.h"

#include "ui/shell/session.h"

#include <QCoreApplication>
#include <QMenu>

#include <array>

namespace wb::ui {

namespace {

struct RerunChoice {
    Session::Rerun kind;
    const char* name; ///< Of the action, for tests.
    const char* title;
    const char* tip;
};

#define WB_TR(words) QT_TRANSLATE_NOOP("wb::ui::RerunMenu", words)

constexpr std::array choices{
    RerunChoice{Session::Rerun::Again, "rerunAgain", WB_TR("Run again\u2026"),
                WB_TR("Opens its recipe with the point's concurrency as a trial value; nothing is sent")},
    RerunChoice{Session::Rerun::Near, "rerunNear", WB_TR("Run variants near here\u2026"),
                WB_TR("Opens its recipe with concurrencies around the point's as a trial value; nothing is sent")},
};

#undef WB_TR

} // namespace

void addRerunActions(QMenu& menu, Session& session, const PointId& id)
{
    menu.setToolTipsVisible(true);
    for (const RerunChoice& choice : choices) {
        QAction* action = menu.addAction(QCoreApplication::translate("wb::ui::RerunMenu", choice.title), &session,
                                         [&session, id, kind = choice.kind] { session.prepareRerun(id, kind); });
        action->setObjectName(QString::fromLatin1(choice.name));
        const QString why = session.whyNoRerun(id, choice.kind);
        action->setEnabled(why.isEmpty());
        action->setToolTip(why.isEmpty() ? QCoreApplication::translate("wb::ui::RerunMenu", choice.tip) : why);
    }
}

} // namespace wb::ui
