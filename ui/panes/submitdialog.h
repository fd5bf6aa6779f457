#pragma once

#include "ui/shell/session.h"

#include <QDialog>

namespace wb::ui {

/// What is about to be submitted: where, what, the most that it can cost, the exact command. Nothing is sent before it is agreed to.
class SubmitDialog final : public QDialog
{
    Q_OBJECT

public:
    SubmitDialog(Session& session, const PreparedPtr& prepared, QWidget* parent = nullptr);
};

/// The sheet as rows: what, and its value.
[[nodiscard]] std::vector<std::pair<QString, QString>> sheetRows(const PreparedSubmission& prepared);

} // namespace wb::ui
