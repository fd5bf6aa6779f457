#include "core/remote/profiles.h"

#include "core/base/json.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <variant>

namespace wb::remote {

namespace {

using base::json::Value;

using Member = std::variant<std::string Profile::*, bool Profile::*, std::int64_t Profile::*>;
struct Row {
    std::string_view key;
    Member member;
    std::int64_t least = 0; ///< Of numbers.
};

const std::array rows = {
    Row{"name", &Profile::name},
    Row{"host", &Profile::host},
    Row{"sshConfig", &Profile::sshConfig},
    Row{"remoteFolder", &Profile::remoteFolder},
    Row{"clusterFile", &Profile::clusterFile},
    Row{"remoteClusterFile", &Profile::remoteClusterFile},
    Row{"launcher", &Profile::launcher},
    Row{"srtctl", &Profile::srtctl},
    Row{"services", &Profile::services},
    Row{"outputs", &Profile::outputs},
    Row{"preamble", &Profile::preamble},
    Row{"secrets", &Profile::secrets},
    Row{"colour", &Profile::colour},
    Row{"readOnly", &Profile::isReadOnly},
    Row{"pollSeconds", &Profile::pollSeconds, 10},
    Row{"maxInFlight", &Profile::maxInFlight},
    Row{"staggerSeconds", &Profile::staggerSeconds},
    Row{"patienceSeconds", &Profile::patienceSeconds, 1},
    Row{"connectSeconds", &Profile::connectSeconds, 1},
    Row{"aliveSeconds", &Profile::aliveSeconds, 1},
};

/// Why the value cannot be taken; empty when it was.
std::string take(Profile& profile, const Row& row, const Value& value)
{
    if (const auto* text = std::get_if<std::string Profile::*>(&row.member)) {
        if (!value.string())
            return "must be a text";
        profile.** text = *value.string();
    } else if (const auto* flag = std::get_if<bool Profile::*>(&row.member)) {
        if (!value.boolean())
            return "must be true or false";
        profile.** flag = *value.boolean();
    } else if (const auto* number = std::get_if<std::int64_t Profile::*>(&row.member)) {
        if (!value.integer() || *value.integer() < row.least)
            return "must be a whole number of at least " + std::to_string(row.least);
        profile.** number = *value.integer();
    }
    return {};
}

Result<Profile> readProfile(const Value& value)
{
    Profile profile;
    const auto wrong = [&](std::string_view key, const std::string& why) {
        return failure(ErrorCode::Malformed, "The profile " + base::inQuotes(profile.name) + ": " + base::inQuotes(key) + ' ' + why + '.');
    };
    if (const Value* name = value.find("name"); name && name->string())
        profile.name = *name->string();
    for (const base::json::Member& member : value.object()) {
        const auto* const row = std::find_if(rows.begin(), rows.end(), [&](const Row& each) { return each.key == member.key; });
        if (row == rows.end())
            return wrong(member.key, "is no setting of a profile");
        if (const std::string why = take(profile, *row, member.value); !why.empty())
            return wrong(member.key, why);
    }
    if (profile.name.empty())
        return failure(ErrorCode::Malformed, "A profile has no \"name\".");
    if (profile.launcher != "portable" && profile.launcher != "srtctl")
        return wrong("launcher", "must be \"portable\" or \"srtctl\"");
    return profile;
}

} // namespace

Result<std::vector<Profile>> readProfiles(std::string_view json)
{
    const auto document = base::json::read(json);
    if (!document)
        return tl::unexpected<Error>(document.error());
    const Value* list = document->find("profiles");
    if (!list || !list->isArray())
        return failure(ErrorCode::Malformed, "There is no list \"profiles\".");
    std::vector<Profile> out;
    for (const Value& value : list->array()) {
        auto profile = readProfile(value);
        if (!profile)
            return tl::unexpected<Error>(std::move(profile.error()));
        const bool isTaken = profile->name == offlineProfile ||
                             std::any_of(out.begin(), out.end(), [&](const Profile& each) { return each.name == profile->name; });
        if (isTaken)
            return failure(ErrorCode::Malformed, "There is more than one profile " + base::inQuotes(profile->name) + '.');
        out.push_back(*std::move(profile));
    }
    return out;
}

std::string writeProfiles(const std::vector<Profile>& profiles)
{
    const Profile plain;
    base::json::Array list;
    for (const Profile& profile : profiles) {
        Value object;
        for (const Row& row : rows) {
            std::visit(
                [&](auto member) {
                    if (profile.*member != plain.*member)
                        object.set(std::string(row.key), profile.*member);
                },
                row.member);
        }
        list.push_back(std::move(object));
    }
    Value document;
    document.set("profiles", std::move(list));
    return base::json::write(document) + '\n';
}

Profile profileFor(const std::vector<Profile>& profiles, std::string_view nameOrHost)
{
    const auto at = std::find_if(profiles.begin(), profiles.end(), [&](const Profile& profile) { return profile.name == nameOrHost; });
    if (at != profiles.end())
        return *at;
    Profile profile;
    profile.name = nameOrHost;
    if (nameOrHost != offlineProfile)
        profile.host = nameOrHost;
    return profile;
}

} // namespace wb::remote
