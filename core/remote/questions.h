// ssh's questions on their way to the user: ssh starts the helper srtwb-askpass, which hands the words to this process through a socket in
// a private folder and prints what comes back. No answer is ever written anywhere.
#pragma once

#include "core/base/result.h"
#include "core/remote/prompts.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace wb::remote {

class Questions
{
public:
    /// Gives the answer, or nothing to refuse. Called from a thread of this object, one question at a time; it may take as long as a person
    /// takes. A refused host key ends the connection: ssh would ask again without end.
    using Answerer = std::function<std::optional<std::string>(const Prompt&)>;

    /// `folder`: private to this user, a short path; is made.
    [[nodiscard]] static Result<std::unique_ptr<Questions>> open(const std::string& folder, Answerer answerer);
    Questions(const Questions&) = delete;
    Questions& operator=(const Questions&) = delete;
    ~Questions();

    /// For OpenSshOptions::askpassEnvironment.
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> environment() const;
    /// Forgets the answers that are kept for the session.
    void forget();

private:
    struct Private;
    explicit Questions(std::unique_ptr<Private> d);
    std::unique_ptr<Private> d;
};

/// Name of the variable by which the helper finds the socket.
inline constexpr const char* askpassVariable = "SRTWB_ASKPASS_SOCKET";

} // namespace wb::remote
