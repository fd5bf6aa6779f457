// Pictures of the editor and the chart, light and dark, to be looked at by people. QT_SCALE_FACTOR=2 gives them at twice the size.
#include "tests/support/marked.h"
#include "ui/editor/recipeeditor.h"

#include <QApplication>
#include <QHelpEvent>
#include <QPainter>
#include <QPlainTextEdit>
#include <QStyle>
#include <QStyleFactory>
#include <QTest>

using namespace wb;

namespace {

QPalette darkPalette()
{
    QPalette dark;
    const QColor window(0x2a, 0x2e, 0x32);
    const QColor text(0xf0, 0xf0, 0xf0);
    dark.setColor(QPalette::Window, window);
    dark.setColor(QPalette::WindowText, text);
    dark.setColor(QPalette::Base, QColor(0x1b, 0x1e, 0x20));
    dark.setColor(QPalette::AlternateBase, QColor(0x23, 0x26, 0x29));
    dark.setColor(QPalette::Text, text);
    dark.setColor(QPalette::Button, QColor(0x31, 0x36, 0x3b));
    dark.setColor(QPalette::ButtonText, text);
    dark.setColor(QPalette::ToolTipBase, window);
    dark.setColor(QPalette::ToolTipText, text);
    dark.setColor(QPalette::PlaceholderText, QColor(0xa1, 0xa9, 0xb1));
    dark.setColor(QPalette::Highlight, QColor(0x3d, 0xae, 0xe9));
    dark.setColor(QPalette::HighlightedText, Qt::black);
    dark.setColor(QPalette::Link, QColor(0x1d, 0x99, 0xf3));
    dark.setColor(QPalette::Mid, QColor(0x50, 0x56, 0x5c));
    return dark;
}

void save(const QImage& image, const QString& folder, const QString& name)
{
    image.save(folder + QStringLiteral("/") + name + QStringLiteral(".png"));
}

/// The widget with its pop-ups painted over it.
QImage withPopups(QWidget& widget)
{
    QImage image = widget.grab().toImage();
    QPainter painter(&image);
    const auto windows = QApplication::topLevelWidgets();
    for (QWidget* other : windows) {
        if (other != &widget && other->isVisible() && (other->windowType() == Qt::ToolTip || other->windowType() == Qt::Popup))
            painter.drawPixmap(widget.mapFromGlobal(other->pos()), other->grab());
    }
    return image;
}

void editorPictures(const QString& folder, const QString& theme)
{
    const test::Marked text(R"yaml(# DeepSeek-R1 on two nodes, prefill and decode apart
schema: 1
base:
  name: "dsr1-disagg"
  model:
    path: dsr1
    container: "lmsysorg/sglang:v0.5.3"
    precision: "fp8"
  resources:
    [[gpu_typ]]: "gb200"
    prefill_nodes: [[two]]
    decode_nodes: 4
    gpus_per_node: 4
  backend:
    type: sglang
    prefill_environment:
      TORCH_DISTRIBUTED_DEFAULT_TIMEOUT: "1800"
      [[MC_TE_METRIC]]: "true"
    sglang_config:
      prefill:
        tensor-parallel-size: 8
        chunked-prefill-size: 32768 # tokens
        mem-fraction-static: [[0.97]]
  benchmark:
    type: "sa-bench"
    isl: 1024
    osl: 1024
    concurrencies: "4x8x16x32x64"
    req_rate: inf
  setup: |
    set -euo pipefail
    echo "ready: $(hostname)"
)yaml");
    const auto problem = [&](std::size_t index, syntax::Severity severity, syntax::Code code, const std::string& message) {
        syntax::Diagnostic made;
        made.code = code;
        made.severity = severity;
        made.range = text.range(index);
        made.message = message;
        return made;
    };
    std::vector<syntax::Diagnostic> problems = {
        problem(0, syntax::Severity::Error, syntax::Code::UnknownKey,
                "\"resources\" has no key \"gpu_typ\"; \"gpu_type\" is required and missing."),
        problem(1, syntax::Severity::Error, syntax::Code::WrongType, "\"prefill_nodes\" must be a whole number, not the text \"two\"."),
        problem(2, syntax::Severity::Hint, syntax::Code::UnusualValue, "\"MC_TE_METRIC\" is read only by the Mooncake transfer engine."),
        problem(3, syntax::Severity::Warning, syntax::Code::UnusualValue,
                "\"mem-fraction-static\" above 0.95 leaves little for activations."),
    };
    problems[0].fixes = {{"Change to \"gpu_type\"", {{text.range(0), "gpu_type"}}}, {"Remove the line", {{text.range(0), ""}}}};
    problems[0].variant = "override_lowlatency";
    problems[0].notes.push_back({"The model is chosen here:", {90, 95}, syntax::Source::Recipe});

    ui::RecipeEditor editor;
    editor.resize(820, 620);
    editor.setText(QString::fromStdString(text.text()));
    editor.setProblems(text.source(), problems);
    editor.show();
    editor.activateWindow();
    editor.goTo(text.range(0).begin + 3);
    QTest::qWait(300);
    save(editor.grab().toImage(), folder, QStringLiteral("editor-") + theme);
    auto* area = editor.findChild<QPlainTextEdit*>(QStringLiteral("editorText"));
    const QPoint at = area->cursorRect().center();
    QHelpEvent help(QEvent::ToolTip, at, area->viewport()->mapToGlobal(at));
    QApplication::sendEvent(area->viewport(), &help);
    QTest::qWait(100);
    save(withPopups(editor), folder, QStringLiteral("editor-hover-") + theme);
    editor.showFixes();
    QTest::qWait(100);
    save(withPopups(editor), folder, QStringLiteral("editor-fixes-") + theme);
    if (QWidget* popup = QApplication::activePopupWidget())
        popup->close();
    editor.showFindBar();
    QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("pre"));
    QTest::qWait(300);
    save(withPopups(editor), folder, QStringLiteral("editor-find-") + theme);
}

} // namespace

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    const QString folder = argc > 1 ? QString::fromLocal8Bit(argv[1]) : QStringLiteral(".");
    const QString scale = qEnvironmentVariable("QT_SCALE_FACTOR", QStringLiteral("1"));
    for (const bool dark : {false, true}) {
        QApplication::setPalette(dark ? darkPalette() : QApplication::style()->standardPalette());
        const QString theme = (dark ? QStringLiteral("dark") : QStringLiteral("light")) + QStringLiteral("-") + scale;
        editorPictures(folder, theme);
    }
    return 0;
}
