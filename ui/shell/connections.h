// The ways to the clusters: one transport for each profile, made when it is needed first and ended with the session. What ssh asks comes
// out of here as a question, with the host that asks it.
#pragma once

#include "core/remote/profiles.h"
#include "core/remote/prompts.h"
#include "core/remote/transport.h"
#include "ui/async/workers.h"
#include "ui/shell/log.h"
#include "ui/shell/secretstore.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <atomic>
#include <deque>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

namespace wb::remote {
class AuditLog;
class Questions;
} // namespace wb::remote

namespace wb::ui {

using TransportPtr = std::shared_ptr<remote::Transport>;

struct ConnectionOptions {
    QString stateFolder;                       ///< Gets audit.jsonl.
    QString controlFolder;                     ///< For sockets: a short path, private to the user. Is made.
    QString askpass;                           ///< The program srtwb-askpass; empty: nothing can be asked.
    std::shared_ptr<SecretStore> secrets = {}; ///< Null: nothing is kept beyond the session.
    /// Instead of ssh, for tests; empty: ssh.
    std::function<TransportPtr(const remote::Profile&)> make = {};
};

/// Something that ssh asks.
struct SshQuestion {
    QString profile;
    QString host;
    remote::Prompt prompt;
};

class Connections final : public QObject
{
    Q_OBJECT

public:
    enum class State {
        None,       ///< Not tried, or ended.
        Connecting, ///< ssh is at it, and may ask.
        Connected,
        Failed,
    };
    struct Link {
        State state = State::None;
        std::optional<Error> why; ///< Of Failed.
    };

    Connections(async::Workers& remoteWorkers, Log& log, ConnectionOptions options, QObject* parent = nullptr);
    ~Connections() override;

    /// For use on a worker. One for each profile and host; another one when the settings of its connection have changed.
    [[nodiscard]] TransportPtr of(const remote::Profile& profile);

    [[nodiscard]] Link link(const remote::Profile& profile) const;
    /// Makes the connection of the profile on a worker; ssh may ask.
    void open(const remote::Profile& profile);
    /// Ends it and forgets what was answered for it.
    void close(const remote::Profile& profile);
    /// What somebody who used the transport learned: nothing, or the error that came.
    void learn(const remote::Profile& profile, const std::optional<Error>& error);

    /// The question that waits for an answer; nothing when none does.
    [[nodiscard]] std::optional<SshQuestion> question() const;
    /// Answers it; nothing refuses, which ends the log-in. It is remembered for the session, if it may be, by the one who asked. `isKept`:
    /// beyond it, in the keychain; when that cannot be, the log says so.
    void answer(const std::optional<QString>& words, bool isKept = false);
    [[nodiscard]] bool hasKeychain() const { return m_options.secrets != nullptr; }

    [[nodiscard]] QString auditFile() const { return m_options.stateFolder + QStringLiteral("/audit.jsonl"); }
    /// Values that must never stand in the audit log.
    void hideFromAudit(const std::vector<std::string>& secrets);

Q_SIGNALS:
    void changed(); ///< Of a link.
    void asked();   ///< There is a question now.
    void answered();

private:
    struct Entry;
    struct Waiting {
        SshQuestion question;
        std::shared_ptr<std::promise<std::optional<std::string>>> answer;
    };

    [[nodiscard]] TransportPtr sshTo(const remote::Profile& profile, Entry& entry);
    void setLink(const std::string& key, Link link);
    void ask(const Waiting& waiting);
    void askPerson(const Waiting& waiting);
    void keepAlive();

    async::Workers& m_workers;
    Log& m_log;
    ConnectionOptions m_options;
    std::shared_ptr<remote::AuditLog> m_audit;
    std::deque<Waiting> m_questions; ///< The first one is the one that is shown.
    std::set<QString> m_tried;       ///< What the keychain has answered for already: when it is asked again, the answer was wrong.
    QTimer m_alive;
    bool m_isAuditTroubleTold = false;
    std::map<std::string, std::unique_ptr<Entry>> m_entries; ///< By profile and host. Their threads end first.
};

} // namespace wb::ui
