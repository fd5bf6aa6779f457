#include "app/secrets/keychainstore.h"

#include <QCoreApplication>
#include <QTimer>
#include <qt6keychain/keychain.h>

#include <chrono>
#include <memory>
#include <utility>

namespace wb::app {

namespace {

using namespace std::chrono_literals;

constexpr auto patience = 30s;

QString service()
{
    return QStringLiteral("srt-workbench");
}

/// Runs the job and tells its end once: by the job, or by the clock.
void runOnce(QKeychain::Job* job, QObject* context, std::function<void(bool isInTime)> ended)
{
    auto isTold = std::make_shared<bool>(false);
    const auto tell = [isTold, ended = std::move(ended)](bool isInTime) {
        if (!std::exchange(*isTold, true))
            ended(isInTime);
    };
    job->setAutoDelete(true);
    QObject::connect(job, &QKeychain::Job::finished, context, [tell] { tell(true); });
    QTimer::singleShot(patience, context, [tell] { tell(false); });
    job->start();
}

} // namespace

void KeychainStore::read(const QString& key, QObject* context, std::function<void(const std::optional<QString>&)> then)
{
    auto* job = new QKeychain::ReadPasswordJob(service());
    job->setKey(key);
    runOnce(job, context, [job, then = std::move(then)](bool isInTime) {
        const bool isThere = isInTime && job->error() == QKeychain::NoError;
        then(isThere ? std::optional(job->textData()) : std::nullopt);
    });
}

void KeychainStore::write(const QString& key, const QString& value, QObject* context, std::function<void(const QString&)> then)
{
    auto* job = new QKeychain::WritePasswordJob(service());
    job->setKey(key);
    job->setTextData(value);
    runOnce(job, context, [job, then = std::move(then)](bool isInTime) {
        if (!isInTime)
            return then(QCoreApplication::translate("wb::app::KeychainStore", "The keychain did not answer in time."));
        if (job->error() == QKeychain::NoError)
            return then(QString());
        if (job->error() == QKeychain::AccessDenied)
            return then(QCoreApplication::translate("wb::app::KeychainStore", "The keychain is locked."));
        then(QCoreApplication::translate("wb::app::KeychainStore", "There is no keychain: %1").arg(job->errorString()));
    });
}

} // namespace wb::app
