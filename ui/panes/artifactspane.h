#pragma once

#include "core/render/secrets.h"
#include "ui/models/artifactsmodel.h"
#include "ui/shell/session.h"

#include <QWidget>

#include <vector>

class QComboBox;
class QLabel;

namespace wb::ui {

class MessageBar;
class RecipeEditor;
class TableView;

/// What the selected job would put on the cluster: the exact bytes, each with its SHA-256. Secrets in them are masked on the screen.
class ArtifactsPane final : public QWidget
{
    Q_OBJECT

public:
    ArtifactsPane(Session& session, QWidget* parent = nullptr);

private:
    void refresh();
    void showArtifact();
    void saveArtifact();
    void exportArtifacts();
    /// The bytes with secrets masked: what is shown, copied and exported. What is sent, and its hash, is the artifact itself.
    [[nodiscard]] std::string shownBytes(const render::Artifact& artifact) const;
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
    std::vector<render::Secret> m_secrets; ///< Of the job whose artifacts are listed.
    std::string m_shown;                   ///< Name of the artifact in the text view.
};

} // namespace wb::ui
