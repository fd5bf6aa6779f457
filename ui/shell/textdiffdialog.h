#pragma once

#include <QDialog>

#include <string>

namespace wb::ui {

/// What differs between two texts, as `diff -u` shows it; does not block, and goes when it is closed.
class TextDiffDialog final : public QDialog
{
    Q_OBJECT

public:
    TextDiffDialog(const QString& title, const std::string& before, const std::string& after, const QString& beforeName,
                   const QString& afterName, QWidget* parent);
};

} // namespace wb::ui
