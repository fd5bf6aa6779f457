#pragma once

#include "ui/shell/session.h"

#include <QDialog>

namespace wb::ui {

/// What a conversion would do, before it does it: the difference or the new text, whether it is proved to stand for the same jobs, and what
/// else changes. Not modal.
class ConversionDialog final : public QDialog
{
    Q_OBJECT

public:
    ConversionDialog(Session& session, const Conversion& conversion, QWidget* parent = nullptr);

private:
    void apply();

    Session& m_session;
    Conversion m_conversion;
};

} // namespace wb::ui
