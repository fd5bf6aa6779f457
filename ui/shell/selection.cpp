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
    connect(&documents, &Documents::closed, this, [this](DocumentId id) { m_keys.erase(id); });
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
    const auto chosen = m_keys.find(document->id);
    if (chosen == m_keys.end())
        return 0;
    const std::vector<std::string> keys = variantKeys(*document->checked);
    const auto at = std::find(keys.begin(), keys.end(), chosen->second);
    return at == keys.end() ? 0 : static_cast<std::size_t>(at - keys.begin());
}

const check::CheckedVariant* Selection::checkedVariant() const
{
    const auto index = variant();
    return index ? &m_documents.current()->checked->variants[*index] : nullptr;
}

std::string Selection::key(DocumentId id) const
{
    const auto found = m_keys.find(id);
    return found == m_keys.end() ? std::string() : found->second;
}

void Selection::setVariant(std::size_t index)
{
    const Document* document = m_documents.current();
    if (!document || !document->checked || index >= document->checked->variants.size())
        return;
    std::string key = variantKeys(*document->checked)[index];
    std::string& kept = m_keys[document->id];
    if (kept == key && variant() == index && !key.empty())
        return;
    kept = std::move(key);
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

void Selection::setJob(const std::string& id)
{
    if (m_job == id)
        return;
    m_job = id;
    Q_EMIT jobChanged();
}

void Selection::followCheck(DocumentId id)
{
    const Document* document = m_documents.find(id);
    if (!document)
        return;
    if (const std::string wanted = m_documents.takeWanted(id); !wanted.empty()) {
        if (const auto jobs = jobsNamed(*document->checked, wanted); !jobs.empty())
            m_keys[id] = variantKeys(*document->checked)[jobs.front()];
        else
            m_log.warning(tr("%1 has no variant \"%2\".").arg(document->title, text(wanted)));
    }
    if (document == m_documents.current())
        Q_EMIT variantChanged();
}

} // namespace wb::ui
