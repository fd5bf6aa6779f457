// Where secrets are kept beyond the session: the desktop's keychain, or a stand-in of tests. A keychain may be absent, locked or slow; none
// of that is an error of the one who asks, it only means that a person is asked.
#pragma once

#include <QObject>
#include <QString>

#include <functional>
#include <optional>

namespace wb::ui {

class SecretStore
{
public:
    SecretStore() = default;
    SecretStore(const SecretStore&) = delete;
    SecretStore& operator=(const SecretStore&) = delete;
    virtual ~SecretStore() = default;

    /// Nothing: it is not there, or cannot be read (a locked keychain says the same). Told once, on the UI thread, unless `context` is
    /// gone.
    virtual void read(const QString& key, QObject* context, std::function<void(const std::optional<QString>&)> then) = 0;
    /// `then` gets why it could not be kept; empty: it is. As `read` otherwise.
    virtual void write(const QString& key, const QString& value, QObject* context, std::function<void(const QString&)> then) = 0;
};

} // namespace wb::ui
