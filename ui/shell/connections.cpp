#include "ui/shell/connections.h"

#include "core/remote/auditlog.h"
#include "core/remote/opensshtransport.h"
#include "core/remote/questions.h"
#include "core/store/atomicfile.h"
#include "ui/async/background.h"
#include "ui/models/text.h"

#include <QDateTime>
#include <QDir>

#include <utility>

namespace wb::ui {

namespace {

using namespace std::chrono_literals;

/// An idle connection is given up after a minute by its own master: a look keeps it.
constexpr auto aliveInterval = 25s;

std::string keyOf(const remote::Profile& profile)
{
    return profile.name + '\n' + profile.host;
}

/// In the keychain.
QString keyOf(const SshQuestion& question)
{
    const std::string& subject = question.prompt.subject;
    return QStringLiteral("ssh/%1/%2").arg(question.host, text(subject.empty() ? question.prompt.words : subject));
}

bool isSameWay(const remote::Profile& a, const remote::Profile& b)
{
    return a.sshConfig == b.sshConfig && a.connectSeconds == b.connectSeconds && a.aliveSeconds == b.aliveSeconds;
}

} // namespace

struct Connections::Entry {
    remote::Profile profile;
    TransportPtr transport;
    std::unique_ptr<remote::Questions> questions;
    Link link;
    std::stop_source stop; ///< Of the log-in that is under way.
    /// Whoever waits for an answer, on the thread of the questions, looks here.
    std::shared_ptr<std::atomic<bool>> isClosing = std::make_shared<std::atomic<bool>>(false);

    Entry() = default;
    Entry(const Entry&) = delete;
    Entry& operator=(const Entry&) = delete;
    ~Entry()
    {
        stop.request_stop();
        *isClosing = true; // before the questions end, which waits for their thread
    }
};

Connections::Connections(async::Workers& remoteWorkers, Log& log, ConnectionOptions options, QObject* parent)
    : QObject(parent)
    , m_workers(remoteWorkers)
    , m_log(log)
    , m_options(std::move(options))
    , m_audit(std::make_shared<remote::AuditLog>(auditFile().toStdString(), std::vector<std::string>()))
{
    connect(&m_alive, &QTimer::timeout, this, &Connections::keepAlive);
    m_alive.start(aliveInterval);
}

Connections::~Connections() = default;

TransportPtr Connections::of(const remote::Profile& profile)
{
    std::unique_ptr<Entry>& entry = m_entries[keyOf(profile)];
    if (entry && isSameWay(entry->profile, profile))
        return entry->transport;
    if (entry) {
        std::erase_if(m_questions, [&](const Waiting& waiting) { return waiting.question.profile == text(profile.name); });
        // Ending a connection waits for ssh.
        async::runInBackground(
            m_workers, this,
            [old = entry->transport] {
                old->disconnect();
                return true;
            },
            [](bool) {});
    }
    entry = std::make_unique<Entry>();
    entry->profile = profile;
    entry->transport = m_options.make ? m_options.make(profile) : sshTo(profile, *entry);
    return entry->transport;
}

TransportPtr Connections::sshTo(const remote::Profile& profile, Entry& entry)
{
    remote::OpenSshOptions options;
    options.host = profile.host;
    options.configFile = profile.sshConfig;
    options.controlFolder = m_options.controlFolder.toStdString();
    options.connectTimeout = std::chrono::seconds(profile.connectSeconds);
    options.aliveInterval = std::chrono::seconds(profile.aliveSeconds);
    // Without the folder the log's first line fails, which is told.
    (void)store::makeFolder(m_options.stateFolder.toStdString());
    options.audit = [audit = m_audit](const remote::AuditEntry& each) { audit->add(each); };
    options.now = [] { return QDateTime::currentSecsSinceEpoch(); };
    if (!m_options.askpass.isEmpty()) {
        const SshQuestion from{text(profile.name), text(profile.host), {}};
        auto questions = remote::Questions::open(
            options.controlFolder, [this, from, closing = entry.isClosing](const remote::Prompt& prompt) -> std::optional<std::string> {
                // On the thread of the questions, which ends before this object does.
                Waiting waiting{from, std::make_shared<std::promise<std::optional<std::string>>>()};
                waiting.question.prompt = prompt;
                auto answer = waiting.answer->get_future();
                if (*closing)
                    return std::nullopt;
                QMetaObject::invokeMethod(
                    this, [this, waiting] { ask(waiting); }, Qt::QueuedConnection);
                while (answer.wait_for(100ms) != std::future_status::ready)
                    if (*closing)
                        return std::nullopt;
                return answer.get();
            });
        if (questions) {
            entry.questions = *std::move(questions);
            options.asking = remote::Asking::Helper;
            options.askpass = m_options.askpass.toStdString();
            options.askpassEnvironment = entry.questions->environment();
        } else {
            m_log.error(std::move(questions.error()).within("Preparing the questions of ssh"));
        }
    }
    return std::make_shared<remote::OpenSshTransport>(std::move(options));
}

Connections::Link Connections::link(const remote::Profile& profile) const
{
    const auto found = m_entries.find(keyOf(profile));
    return found == m_entries.end() ? Link() : found->second->link;
}

void Connections::setLink(const std::string& key, Link link)
{
    const auto found = m_entries.find(key);
    if (found == m_entries.end() || (found->second->link.state == link.state && found->second->link.why == link.why))
        return;
    found->second->link = std::move(link);
    Q_EMIT changed();
}

void Connections::open(const remote::Profile& profile)
{
    const TransportPtr transport = of(profile);
    Entry& entry = *m_entries.at(keyOf(profile));
    if (entry.link.state == State::Connecting)
        return;
    entry.stop = std::stop_source();
    setLink(keyOf(profile), {State::Connecting, std::nullopt});
    async::runInBackground(
        m_workers, this, [transport, stop = entry.stop.get_token()] { return transport->connect(stop); },
        [this, profile](const Result<void>& made) {
            if (made)
                return setLink(keyOf(profile), {State::Connected, std::nullopt});
            if (made.error().code == ErrorCode::Cancelled)
                return setLink(keyOf(profile), {State::None, std::nullopt});
            m_log.error(made.error());
            setLink(keyOf(profile), {State::Failed, made.error()});
        });
}

void Connections::close(const remote::Profile& profile)
{
    const auto found = m_entries.find(keyOf(profile));
    if (found == m_entries.end())
        return;
    found->second->stop.request_stop();
    if (found->second->questions)
        found->second->questions->forget();
    m_tried.clear();
    async::runInBackground(
        m_workers, this,
        [transport = found->second->transport] {
            transport->disconnect();
            return true;
        },
        [this, key = keyOf(profile)](bool) {
            setLink(key, {State::None, std::nullopt});
        });
}

void Connections::learn(const remote::Profile& profile, const std::optional<Error>& error)
{
    if (!error)
        return setLink(keyOf(profile), {State::Connected, std::nullopt});
    const bool isOfConnection =
        error->code == ErrorCode::Unreachable || error->code == ErrorCode::Denied || error->code == ErrorCode::TimedOut;
    // While somebody logs in, what others could not do meanwhile says nothing.
    if (isOfConnection && link(profile).state != State::Connecting)
        setLink(keyOf(profile), {State::Failed, error});
}

void Connections::keepAlive()
{
    for (const auto& [key, entry] : m_entries) {
        if (entry->link.state != State::Connected)
            continue;
        async::runInBackground(
            m_workers, this, [transport = entry->transport] { return transport->isConnected(); },
            [this, profile = entry->profile](bool isThere) {
                if (!isThere && link(profile).state == State::Connected)
                    setLink(keyOf(profile), {State::None, std::nullopt});
            });
    }
    if (const std::string trouble = m_audit->trouble(); !trouble.empty() && !std::exchange(m_isAuditTroubleTold, true))
        m_log.warning(text(trouble));
}

void Connections::ask(const Waiting& waiting)
{
    const QString key = keyOf(waiting.question);
    if (!m_options.secrets || !remote::mayBeKept(waiting.question.prompt.kind) || !m_tried.insert(key).second)
        return askPerson(waiting);
    m_options.secrets->read(key, this, [this, waiting](const std::optional<QString>& found) {
        if (!found)
            return askPerson(waiting);
        waiting.answer->set_value(found->toStdString());
    });
}

void Connections::askPerson(const Waiting& waiting)
{
    m_questions.push_back(waiting);
    if (m_questions.size() == 1)
        Q_EMIT asked();
}

std::optional<SshQuestion> Connections::question() const
{
    return m_questions.empty() ? std::nullopt : std::optional(m_questions.front().question);
}

void Connections::answer(const std::optional<QString>& words, bool isKept)
{
    if (m_questions.empty())
        return;
    const Waiting waiting = m_questions.front();
    m_questions.pop_front();
    if (words && isKept && m_options.secrets) {
        m_options.secrets->write(keyOf(waiting.question), *words, this, [this](const QString& whyNot) {
            if (!whyNot.isEmpty())
                m_log.warning(tr("The answer is kept in memory until the window is closed, not in the keychain: %1").arg(whyNot));
        });
    }
    waiting.answer->set_value(words ? std::optional(words->toStdString()) : std::nullopt);
    Q_EMIT answered();
    if (!m_questions.empty())
        Q_EMIT asked();
}

void Connections::hideFromAudit(const std::vector<std::string>& secrets)
{
    m_audit->hide(secrets);
}

} // namespace wb::ui
