#pragma once

#include "ui/shell/secretstore.h"

namespace wb::app {

/// The desktop's keychain, through QtKeychain. An operation that takes too long (a keychain that waits for somebody to unlock it) is given
/// up, never deleted or written over what could not be read.
class KeychainStore final : public ui::SecretStore
{
public:
    void read(const QString& key, QObject* context, std::function<void(const std::optional<QString>&)> then) override;
    void write(const QString& key, const QString& value, QObject* context, std::function<void(const QString&)> then) override;
};

} // namespace wb::app
