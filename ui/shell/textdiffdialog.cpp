#include "ui/shell/textdiffdialog.h"

#include "core/base/unifieddiff.h"
#include "ui/editor/recipeeditor.h"
#include "ui/models/text.h"

#include <QDialogButtonBox>
#include <QVBoxLayout>

namespace wb::ui {

TextDiffDialog::TextDiffDialog(const QString& title, const std::string& before, const std::string& after, const QString& beforeName,
                               const QString& afterName, QWidget* parent)
    : QDialog(parent)
{
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(QStringLiteral("textDiffDialog"));
    setWindowTitle(title);
    auto* view = new RecipeEditor(this);
    view->setAccessibleName(title);
    view->setLanguage(QStringLiteral("Diff"));
    const std::string diff = base::unifiedDiff(before, after, beforeName.toStdString(), afterName.toStdString());
    view->setText(diff.empty() ? tr("The texts are the same.") : text(diff));
    view->setReadOnly(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* column = new QVBoxLayout(this);
    column->addWidget(view, 1);
    column->addWidget(buttons);
    resize(860, 560);
}

} // namespace wb::ui
