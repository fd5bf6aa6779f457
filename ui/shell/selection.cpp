#include "ui/shell/selection.h"

#include "ui/models/text.h"
#include "ui/models/variantsmodel.h"
#include "ui/shell/comparison.h"

#include <algorithm>

namespace wb::ui {

Selection::Selection(Documents& documents, Log& log, QObject* parent)
    : QObject(parent)
    , m_documents(documents)
    , m_log(log)
{
    connect(&documents, &Documents::currentChanged, this, &Selection::variantChanged);
    connect(&documents, &Documents::checked, this, &Selection::followCheck);
    connect(&documents, &Documents::closed, this, [this](DocumentId id) { m_choices.erase(id); });
}

CheckedPtr Selection::checked() const
{
    const Document* document = m_documents.current();
    return document ? document->checked : nullptr;
}

std::optional<std::size_t> Selection::variant() const
{
    const Document* document = m_documents.current();
    if (!document || !document->checked || document->checked->variants.empty())
        return std::nullopt;
    const auto chosen = m_choices.find(document->id);
    if (chosen == m_choices.end())
        return 0;
    const std::vector<std::string>& keys = keysOf(document->checked);
    const auto at = std::find(keys.begin(), keys.end(), chosen->second.key);
    return at == keys.end() ? std::min(chosen->second.index, keys.size() - 1) : static_cast<std::size_t>(at - keys.begin());
}

const std::vector<std::string>& Selection::keysOf(const CheckedPtr& checked) const
{
    if (m_keysFor != checked) {
        m_keys = variantKeys(*checked);
        m_keysFor = checked;
    }
    return m_keys;
}

const check::CheckedVariant* Selection::checkedVariant() const
{
    const auto index = variant();
    return index ? &m_documents.current()->checked->variants[*index] : nullptr;
}

std::string Selection::key(DocumentId id) const
{
    const auto found = m_choices.find(id);
    return found == m_choices.end() ? std::string() : found->second.key;
}

void Selection::setVariant(std::size_t index)
{
    const Document* document = m_documents.current();
    if (!document || !document->checked || index >= document->checked->variants.size())
        return;
    std::string key = keysOf(document->checked)[index];
    Choice& kept = m_choices[document->id];
    if (kept.key == key && variant() == index && !key.empty())
        return;
    kept = {std::move(key), index};
    Q_EMIT variantChanged();
}

std::vector<std::size_t> Selection::chosen() const
{
    std::vector<std::size_t> out = m_chosen;
    const CheckedPtr now = checked();
    std::erase_if(out, [&](std::size_t index) { return !now || index >= now->variants.size(); });
    if (out.empty()) {
        if (const auto one = variant())
            out.push_back(*one);
    }
    return out;
}

void Selection::setChosen(std::vector<std::size_t> indices)
{
    if (indices == m_chosen)
        return;
    m_chosen = std::move(indices);
    Q_EMIT chosenChanged();
}

void Selection::setPoint(const PointId& id)
{
    if (m_point == id)
        return;
    m_point = id;
    Q_EMIT pointChanged();
}

void Selection::setPoints(std::vector<PointId> ids)
{
    if (ids == m_points)
        return;
    m_points = std::move(ids);
    Q_EMIT pointsChanged();
}

void Selection::setJob(const std::string& id)
{
    if (m_job == id)
        return;
    m_job = id;
    Q_EMIT jobChanged();
}

/// A job whose suffix or sweep values are changed gets another key: it is still the same one at its place.
void Selection::followChoice(const Document& document)
{
    const auto chosen = m_choices.find(document.id);
    if (chosen == m_choices.end() || document.checked->variants.empty())
        return;
    Choice& choice = chosen->second;
    const std::vector<std::string>& keys = keysOf(document.checked);
    const auto at = std::find(keys.begin(), keys.end(), choice.key);
    const std::size_t index = at == keys.end() ? std::min(choice.index, keys.size() - 1) : static_cast<std::size_t>(at - keys.begin());
    choice = {keys[index], index};
}

void Selection::followCheck(DocumentId id)
{
    const Document* document = m_documents.find(id);
    if (!document)
        return;
    if (const std::string wanted = m_documents.takeWanted(id); !wanted.empty()) {
        if (const auto jobs = jobsNamed(*document->checked, wanted); !jobs.empty())
            m_choices[id] = {keysOf(document->checked)[jobs.front()], jobs.front()};
        else
            m_log.warning(tr("%1 has no variant \"%2\".").arg(document->title, text(wanted)));
    }
    followChoice(*document);
    if (document == m_documents.current())
        Q_EMIT variantChanged();
}

} // namespace wb::ui
