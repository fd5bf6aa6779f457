// What a key press costs the UI thread in a recipe of 50,000 lines, completion included; the budget is 16 ms. Run by hand:
//   QT_QPA_PLATFORM=offscreen typing_bench
#include "core/assist/document.h"
#include "tests/support/longrecipe.h"
#include "ui/editor/highlighter.h"
#include "ui/editor/recipeeditor.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QPlainTextEdit>
#include <QTest>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

using namespace wb;

namespace {

void tell(const char* what, std::vector<double> times)
{
    std::sort(times.begin(), times.end());
    std::printf("%-44s median %6.2f ms   p99 %6.2f ms   worst %6.2f ms\n", what, times[times.size() / 2], times[times.size() * 99 / 100],
                times.back());
}

} // namespace

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    ui::RecipeEditor editor;
    std::shared_ptr<const assist::Document> kept;
    editor.setAssistant([&] {
        if (!kept || kept->text() != editor.utf8Text())
            kept = std::make_shared<const assist::Document>(std::make_shared<syntax::SourceText>(editor.utf8Text()), nullptr, nullptr);
        return kept;
    });
    editor.resize(1000, 800);
    editor.show();
    const std::string text = test::longRecipe();
    QElapsedTimer clock;
    clock.start();
    editor.setText(QString::fromStdString(text));
    std::printf("%d lines shown after %lld ms\n", static_cast<int>(std::count(text.begin(), text.end(), '\n')),
                static_cast<long long>(clock.elapsed()));
    const auto* highlighter = editor.findChild<ui::Highlighter*>();
    if (!QTest::qWaitFor([&] { return highlighter->isFinished(); }, 120'000))
        return 1;
    auto* area = editor.findChild<QPlainTextEdit*>(QStringLiteral("editorText"));
    area->setFocus();
    const auto measure = [&](const char* what, int count, const std::function<void(int)>& act) {
        std::vector<double> keys;
        std::vector<double> rest;
        for (int i = 0; i < count; ++i) {
            clock.restart();
            act(i);
            keys.push_back(static_cast<double>(clock.nsecsElapsed()) / 1e6);
            QTest::qSleep(50); // the list of completions comes a moment after the key
            clock.restart();
            QCoreApplication::processEvents();
            rest.push_back(static_cast<double>(clock.nsecsElapsed()) / 1e6);
        }
        tell(what, std::move(keys));
        tell("  painting and completion after it", std::move(rest));
    };
    const std::size_t middle = text.find("override_3500:");
    editor.goTo(text.find("mem-fraction", middle));
    QTest::keyClick(area, Qt::Key_Return);
    QTest::keyClick(area, Qt::Key_Up);
    measure("letters of a flag, with completion", 120, [&](int i) {
        static const std::string word = "attention";
        if (i % 12 < 9)
            QTest::keyClick(area, word[static_cast<std::size_t>(i % 12)]);
        else
            QTest::keyClick(area, i % 12 == 9 ? Qt::Key_Escape : Qt::Key_Backspace);
    });
    measure("new lines", 60, [&](int) { QTest::keyClick(area, Qt::Key_Return); });
    measure("page down", 60, [&](int) { QTest::keyClick(area, Qt::Key_PageDown); });
    clock.restart();
    editor.foldAll();
    std::printf("fold all: %lld ms\n", static_cast<long long>(clock.elapsed()));
    clock.restart();
    editor.unfoldAll();
    std::printf("unfold all: %lld ms\n", static_cast<long long>(clock.elapsed()));
    return 0;
}
