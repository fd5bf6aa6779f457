#pragma once

#include "ui/shell/session.h"

#include <QWidget>

class QTextBrowser;

namespace wb::ui {

/// The help that needs no network: what each code of a diagnostic and each rule means, and what a key of the language is for.
class HelpPane final : public QWidget
{
    Q_OBJECT

public:
    HelpPane(Session& session, QWidget* parent = nullptr);

private:
    void showTopic(const QString& topic);
    void showField(const assist::Hover& about);

    QTextBrowser* m_view;
};

} // namespace wb::ui
