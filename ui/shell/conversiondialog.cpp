#include "ui/shell/conversiondialog.h"

#include "core/base/unifieddiff.h"
#include "ui/editor/recipeeditor.h"
#include "ui/models/text.h"
#include "ui/theme/severity.h"

#include <QDialogButtonBox>
#include <QFileDialog>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace wb::ui {

namespace {

std::string shownText(const Conversion& conversion)
{
    if (!conversion.files.empty()) {
        std::string all;
        for (const auto& [name, bytes] : conversion.files)
            all += "# --- " + name.toStdString() + " ---\n" + bytes + (bytes.ends_with('\n') ? "\n" : "\n\n");
        return all;
    }
    if (!conversion.target)
        return conversion.after;
    return base::unifiedDiff(conversion.before, conversion.after, ConversionDialog::tr("now").toStdString(),
                             ConversionDialog::tr("then").toStdString());
}

QString verdict(const Conversion& conversion)
{
    if (!conversion.verdict.isEmpty())
        return conversion.verdict;
    if (conversion.isProved)
        return ConversionDialog::tr("Proved: it stands for the same jobs as before.");
    if (conversion.after.empty() && conversion.files.empty())
        return ConversionDialog::tr("It cannot be done.");
    return ConversionDialog::tr("Not proved to stand for the same jobs.");
}

} // namespace

ConversionDialog::ConversionDialog(Session& session, const Conversion& conversion, QWidget* parent)
    : QDialog(parent)
    , m_session(session)
    , m_conversion(conversion)
{
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(QStringLiteral("conversionDialog"));
    setWindowTitle(conversion.title);
    auto* column = new QVBoxLayout(this);
    QString html = QStringLiteral("<b>%1</b>").arg(verdict(conversion).toHtmlEscaped());
    const auto list = [&](const QStringList& sentences) {
        for (const QString& sentence : sentences)
            html += QStringLiteral("<br/>\u2022 %1").arg(sentence.toHtmlEscaped());
    };
    list(conversion.reasons.mid(0, 12));
    list(conversion.notes.mid(0, 12));
    const qsizetype more = std::max<qsizetype>(0, conversion.reasons.size() - 12) + std::max<qsizetype>(0, conversion.notes.size() - 12);
    if (more > 0)
        html += QStringLiteral("<br/>%1").arg(tr("\u2026 and %1 more").arg(more));
    auto* words = new QLabel(html, this);
    words->setObjectName(QStringLiteral("conversionVerdict"));
    words->setWordWrap(true);
    words->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(words);
    const std::string shown = shownText(conversion);
    if (!shown.empty()) {
        auto* view = new RecipeEditor(this);
        view->setLanguage(conversion.target ? QStringLiteral("Diff") : QStringLiteral("YAML"));
        view->setText(text(shown));
        view->setReadOnly(true);
        view->setAccessibleName(conversion.title);
        column->addWidget(view, 1);
    }
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    const QString does = !conversion.files.empty()
                             ? tr("Write %n file(s) into a folder\u2026", nullptr, static_cast<int>(conversion.files.size()))
                         : conversion.target ? tr("Change the text")
                                             : tr("Open as a new recipe");
    if (!shown.empty()) {
        QPushButton* apply = buttons->addButton(does, QDialogButtonBox::AcceptRole);
        apply->setObjectName(QStringLiteral("applyConversion"));
        apply->setDefault(conversion.isProved);
        apply->setToolTip(conversion.target ? tr("One step that can be undone") : QString());
    }
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, &ConversionDialog::apply);
    column->addWidget(buttons);
    resize(shown.empty() ? QSize(560, 160) : QSize(900, 620));
}

void ConversionDialog::apply()
{
    if (m_conversion.files.empty()) {
        m_session.conversions().apply(m_conversion);
        accept();
        return;
    }
    auto* dialog = new QFileDialog(this, tr("Folder for the recipes"), m_session.library().folder());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& folder) {
        m_session.conversions().writeFiles(m_conversion, folder);
        accept();
    });
    dialog->open();
}

} // namespace wb::ui
