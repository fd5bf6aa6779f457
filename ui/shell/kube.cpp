#include "ui/shell/kube.h"

#include "core/base/text.h"
#include "core/remote/localtransport.h"
#include "ui/async/background.h"
#include "ui/models/text.h"

#include <QDateTime>

#include <algorithm>
#include <utility>

namespace wb::ui {

namespace {

constexpr int lookEvery = 500; ///< ms; when an object is looked at is its follower's decision.

} // namespace

QString shown(const KubePlace& place)
{
    return Kube::tr("%1 \u00b7 %2 \u00b7 %3")
        .arg(place.host.isEmpty() ? Kube::tr("this machine") : place.host,
             place.context.isEmpty() ? Kube::tr("kubectl's current context") : Kube::tr("context %1").arg(place.context),
             place.space.isEmpty() ? Kube::tr("kubectl's current namespace") : Kube::tr("namespace %1").arg(place.space));
}

Kube::Kube(async::Workers& workers, Documents& documents, Snapshots& snapshots, Log& log, QObject* parent)
    : QObject(parent)
    , m_workers(workers)
    , m_documents(documents)
    , m_snapshots(snapshots)
    , m_log(log)
    , m_make([](const QString&) { return std::make_shared<snapshot::TransportKubectl>(std::make_shared<remote::LocalTransport>()); })
{
    m_timer.setInterval(lookEvery);
    connect(&m_timer, &QTimer::timeout, this, &Kube::look);
}

Kube::~Kube() = default;

void Kube::setRunner(MakeRunner make)
{
    m_make = std::move(make);
}

snapshot::KubeTarget Kube::targetOf(const KubePlace& place)
{
    return {place.context.toStdString(), place.space.toStdString()};
}

void Kube::setPlace(const KubePlace& place)
{
    if (m_place == place)
        return;
    m_place = place;
    m_connection.reset();
    m_answer = nullptr;
    m_answerTo.reset();
    Q_EMIT placeChanged();
    Q_EMIT connectionChanged();
    Q_EMIT answered();
}

void Kube::tell(const Error& error)
{
    m_log.error(error);
    Q_EMIT failed(error);
}

template <typename T>
void Kube::run(const QString& doing, std::function<Result<T>(snapshot::KubectlRunner&, const snapshot::KubeTarget&)> work,
               std::function<void(T)> then)
{
    ++m_busy;
    m_doing = doing;
    m_log.info(tr("%1: %2").arg(shown(m_place), doing));
    Q_EMIT busyChanged();
    async::runInBackground(
        m_workers, this,
        [work = std::move(work), runner = runner(m_place.host), target = targetOf(m_place)] { return work(*runner, target); },
        [this, then = std::move(then)](Result<T> result) {
            --m_busy;
            if (result)
                then(*std::move(result));
            else
                tell(result.error());
            Q_EMIT busyChanged();
        });
}

void Kube::checkConnection()
{
    run<snapshot::Connection>(
        tr("checking the connection"),
        [](snapshot::KubectlRunner& kubectl, const snapshot::KubeTarget& target) -> Result<snapshot::Connection> {
            return snapshot::connect(kubectl, target);
        },
        [this](snapshot::Connection connection) {
            m_connection = std::move(connection);
            Q_EMIT connectionChanged();
        });
}

void Kube::fetchCrds()
{
    run<CrdsPtr>(
        tr("fetching the definitions"),
        [](snapshot::KubectlRunner& kubectl, const snapshot::KubeTarget& target) -> Result<CrdsPtr> {
            auto crds = snapshot::fetchCrds(kubectl, target);
            if (!crds)
                return tl::unexpected(std::move(crds.error()));
            return std::make_shared<const snapshot::CrdSet>(*std::move(crds));
        },
        [this](CrdsPtr crds) { m_snapshots.takeCrds(std::move(crds)); });
}

ManifestPtr Kube::manifestOf(DocumentId id)
{
    const Document* document = m_documents.find(id);
    if (!document || !document->isManifest) {
        tell({ErrorCode::Refused, "No manifest of Kubernetes is open.", {}});
        return nullptr;
    }
    if (!document->isCheckCurrent() || !document->manifest) {
        tell({ErrorCode::Refused, document->title.toStdString() + " is being checked; try again in a moment.", {}});
        return nullptr;
    }
    return document->manifest;
}

void Kube::dryRun(DocumentId id)
{
    const ManifestPtr manifest = manifestOf(id);
    if (!manifest)
        return;
    run<snapshot::DryRun>(
        tr("asking the server about the manifest"),
        [manifest](snapshot::KubectlRunner& kubectl, const snapshot::KubeTarget& target) {
            return snapshot::dryRun(kubectl, target, *manifest);
        },
        [this, id](snapshot::DryRun answer) {
            m_answer = std::make_shared<const snapshot::DryRun>(std::move(answer));
            m_answerTo = id;
            Q_EMIT answered();
        });
}

void Kube::create(DocumentId id)
{
    const ManifestPtr manifest = manifestOf(id);
    if (!manifest)
        return;
    using Objects = std::vector<snapshot::KubeObject>;
    run<Objects>(
        tr("creating the objects"),
        [manifest](snapshot::KubectlRunner& kubectl, const snapshot::KubeTarget& target) {
            return snapshot::create(kubectl, target, *manifest);
        },
        [this](const Objects& objects) {
            for (const snapshot::KubeObject& object : objects) {
                m_log.info(tr("%1: created %2 %3").arg(shown(m_place), text(object.kind), text(object.name)));
                follow(object);
            }
        });
}

// --- following ------------------------------------------------------------------------------------------------------------------------

void Kube::follow(const snapshot::KubeObject& object)
{
    const auto known = std::find_if(m_followed.begin(), m_followed.end(), [&](const Followed& each) {
        return each.place == m_place && each.object.kind == object.kind && each.object.name == object.name;
    });
    if (known != m_followed.end())
        return;
    auto watch = std::make_shared<Watch>();
    watch->follower = std::make_shared<snapshot::Follower>(targetOf(m_place), object);
    m_followed.insert(m_followed.begin(), {.place = m_place, .object = object, .status = {}, .error = {}});
    m_watches.insert(m_watches.begin(), std::move(watch));
    m_timer.start();
    Q_EMIT followedChanged();
    poll(0);
}

void Kube::unfollow(std::size_t index)
{
    if (index >= m_followed.size())
        return;
    m_followed.erase(m_followed.begin() + static_cast<std::ptrdiff_t>(index));
    m_watches.erase(m_watches.begin() + static_cast<std::ptrdiff_t>(index));
    Q_EMIT followedChanged();
}

void Kube::look()
{
    bool isWaiting = false;
    for (std::size_t i = 0; i < m_followed.size(); ++i) {
        Watch& watch = *m_watches[i];
        isWaiting = isWaiting || !m_followed[i].isDone;
        const auto wait = std::chrono::milliseconds(watch.follower->wait()).count();
        if (!m_followed[i].isDone && !watch.isLooking && watch.since.elapsed() >= wait)
            poll(i);
    }
    if (!isWaiting)
        m_timer.stop();
}

void Kube::poll(std::size_t index)
{
    const std::shared_ptr<Watch> watch = m_watches[index];
    watch->isLooking = true;
    async::runInBackground(
        m_workers, this, [runner = runner(m_followed[index].place.host), follower = watch->follower] { return follower->poll(*runner); },
        [this, watch](Result<snapshot::ObjectStatus> status) {
            watch->isLooking = false;
            watch->since.start();
            const auto at = std::find(m_watches.begin(), m_watches.end(), watch);
            if (at == m_watches.end())
                return; // it is not followed any more
            Followed& followed = m_followed[static_cast<std::size_t>(at - m_watches.begin())];
            if (status) {
                followed.error.clear();
                followed.isDone = status->isFinal();
                followed.status = *std::move(status);
            } else {
                followed.error = text(status.error().message);
                followed.isDone = followed.isDone || status.error().code == ErrorCode::NotFound; // deleted, or never there
            }
            Q_EMIT followedChanged();
        });
}

template <typename T>
void Kube::onFollowed(std::size_t index,
                      Result<T> (*work)(snapshot::KubectlRunner&, const snapshot::KubeTarget&, const snapshot::KubeObject&),
                      std::function<void(const Followed&, T)> then)
{
    if (index >= m_followed.size())
        return;
    const Followed followed = m_followed[index];
    async::runInBackground(
        m_workers, this,
        [runner = runner(followed.place.host), target = targetOf(followed.place), object = followed.object, work] {
            return work(*runner, target, object);
        },
        [this, followed, then = std::move(then)](Result<T> result) {
            if (result)
                then(followed, *std::move(result));
            else
                tell(result.error());
        });
}

void Kube::deleteObject(std::size_t index)
{
    struct Done {
    };
    onFollowed<Done>(
        index,
        [](snapshot::KubectlRunner& kubectl, const snapshot::KubeTarget& target, const snapshot::KubeObject& object) -> Result<Done> {
            if (auto done = snapshot::deleteObject(kubectl, target, object); !done)
                return tl::unexpected(std::move(done.error()));
            return Done{};
        },
        [this](const Followed& followed, Done) {
            m_log.info(tr("%1: deleted %2 %3").arg(shown(followed.place), text(followed.object.kind), text(followed.object.name)));
            for (std::size_t i = 0; i < m_followed.size(); ++i) {
                if (m_followed[i].place == followed.place && m_followed[i].object.name == followed.object.name &&
                    m_followed[i].object.kind == followed.object.kind)
                    return unfollow(i);
            }
        });
}

void Kube::importLog(std::size_t index)
{
    onFollowed<std::string>(
        index,
        [](snapshot::KubectlRunner& kubectl, const snapshot::KubeTarget& target, const snapshot::KubeObject& object) {
            return snapshot::agentLogOf(kubectl, target, {}, object);
        },
        [this](const Followed& followed, std::string log) {
            m_snapshots.importStartupText(
                tr("%1: log of the agent for %2, %3")
                    .arg(shown(followed.place), text(followed.object.name), QDateTime::currentDateTime().toString(Qt::ISODate)),
                std::move(log));
        });
}

void Kube::tellEvents(std::size_t index)
{
    onFollowed<std::vector<snapshot::TimelineEntry>>(
        index,
        [](snapshot::KubectlRunner& kubectl, const snapshot::KubeTarget& target, const snapshot::KubeObject& object) {
            return snapshot::eventsOf(kubectl, target, object);
        },
        [this](const Followed& followed, const std::vector<snapshot::TimelineEntry>& events) {
            const QString what = tr("%1: %2 %3").arg(shown(followed.place), text(followed.object.kind), text(followed.object.name));
            if (events.empty())
                m_log.info(tr("%1: the cluster noted nothing").arg(what));
            for (const snapshot::TimelineEntry& event : events) {
                const QString line = tr("%1: %2 %3").arg(what, text(event.time), text(event.text));
                event.text.starts_with("Warning") ? m_log.warning(line) : m_log.info(line);
            }
        });
}

void Kube::usePreflight(std::size_t index)
{
    onFollowed<snapshot::CompatFacts>(
        index,
        [](snapshot::KubectlRunner& kubectl, const snapshot::KubeTarget& target,
           const snapshot::KubeObject& object) -> Result<snapshot::CompatFacts> {
            auto content = snapshot::contentOf(kubectl, target, object);
            if (!content)
                return tl::unexpected(std::move(content.error()));
            return snapshot::readSourceFacts(base::json::write(*content));
        },
        [this](const Followed&, snapshot::CompatFacts facts) { m_snapshots.setCaptured(std::move(facts)); });
}

} // namespace wb::ui
