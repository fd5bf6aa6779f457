// The document of a long text, made on a worker: Qt takes two microseconds for each line, which is more than the UI thread has for an
// event when there are tens of thousands of them.
#pragma once

#include "ui/editor/positions.h"

#include <QTextDocument>

#include <memory>

namespace wb::ui {

struct PreparedText {
    /// Belongs to the UI thread, where it also goes when nobody takes it.
    struct DeleteLater {
        void operator()(QTextDocument* document) const { document->deleteLater(); }
    };
    std::unique_ptr<QTextDocument, DeleteLater> document;
    Positions positions; ///< Of the document.
};

/// For RecipeEditor::setPreparedText. Line ends become line feeds. May be called on any thread.
[[nodiscard]] PreparedText preparedText(const QString& text);

/// The same text with line feeds for line ends, as QTextDocument keeps it.
[[nodiscard]] QString withLineFeeds(QString text);

} // namespace wb::ui
