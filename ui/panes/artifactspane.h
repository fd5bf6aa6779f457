#pragma once

#include "ui/models/artifactsmodel.h"
#include "ui/shell/session.h"

#include <QWidget>

class QComboBox;
class QLabel;

namespace wb::ui {

class MessageBar;
class RecipeEditor;
class TableView;

/// What the selected job would put on the cluster: the exact bytes, each with its SHA-256.
class ArtifactsPane final : public QWidget
{
    Q_OBJECT

public:
    ArtifactsPane(Session& session, QWidget* parent = nullptr);

private:
    void refresh();
    void showArtifact();
    void saveArtifact();
    [[nodiscard]] const render::Artifact* current() const; ///< Null when there is none.
    QWidget* makeBar();

    Session& m_session;
    ArtifactsModel m_model;
    TableView* m_view;
    RecipeEditor* m_text;
    QLabel* m_title;
    QLabel* m_hash;
    QComboBox* m_launcher;
    MessageBar* m_message;
    std::string m_shown; ///< Name of the artifact in the text view.
};

} // namespace wb::ui
