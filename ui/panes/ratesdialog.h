#pragma once

#include "core/analysis/rates.h"
#include "ui/shell/session.h"

#include <QDialog>

#include <vector>

class QGridLayout;
class QLabel;
class QLineEdit;

namespace wb::ui {

/// What a GPU-hour costs and what a GPU draws, for each kind of GPU of the imported points and for all others. An empty field is not known.
class RatesDialog final : public QDialog
{
    Q_OBJECT

public:
    RatesDialog(Session& session, QWidget* parent = nullptr);

    void accept() override; ///< Stays open and says why when a field holds no number above 0.

private:
    struct Row {
        std::string hardware; ///< Empty: all others.
        QLineEdit* price;
        QLineEdit* power;
    };
    void addRow(QGridLayout& grid, const std::string& hardware);

    Session& m_session;
    QLabel* m_fault;
    std::vector<Row> m_rows;
};

} // namespace wb::ui
