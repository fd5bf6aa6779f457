#include "ui/panes/ratesdialog.h"

#include "core/base/text.h"
#include "ui/models/text.h"

#include <QDialogButtonBox>
#include <QFrame>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace wb::ui {

namespace {

/// Kinds of GPU of the points and of what was given before, by name.
std::set<std::string> kindsOf(Session& session, const analysis::Rates& rates)
{
    std::set<std::string> kinds;
    // "GB200" and "gb200" are one kind: a rate is found whatever the case.
    const auto add = [&kinds](const std::string& hardware) {
        if (!hardware.empty() &&
            std::ranges::none_of(kinds, [&](const std::string& kind) { return base::lowered(kind) == base::lowered(hardware); }))
            kinds.insert(hardware);
    };
    for (const results::Point& point : *session.results().points())
        add(point.hardware.value_or(std::string()));
    for (const auto* list : {&rates.prices, &rates.powers})
        for (const analysis::Rate& rate : *list)
            add(rate.hardware);
    return kinds;
}

/// The rate of that very kind, not that of all others.
QString ownRate(const std::vector<analysis::Rate>& rates, const std::string& hardware)
{
    const auto found =
        std::ranges::find_if(rates, [&](const analysis::Rate& rate) { return base::lowered(rate.hardware) == base::lowered(hardware); });
    return found == rates.end() ? QString() : text(base::textOf(found->value));
}

} // namespace

RatesDialog::RatesDialog(Session& session, QWidget* parent)
    : QDialog(parent)
    , m_session(session)
    , m_fault(new QLabel(this))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(QStringLiteral("ratesDialog"));
    setWindowTitle(tr("Prices and power"));
    auto* what = new QLabel(tr("What the axes of cost and energy are made from. A power that was measured comes first; a field that is "
                               "empty is not known, and its points are left out of those axes and counted."),
                            this);
    what->setWordWrap(true);

    auto* inside = new QWidget;
    auto* grid = new QGridLayout(inside);
    grid->setColumnStretch(0, 1);
    const std::array titles{tr("Kind of GPU"), tr("US dollars a GPU-hour"), tr("Watts a GPU")};
    for (int i = 0; i < 3; ++i)
        grid->addWidget(new QLabel(titles[static_cast<std::size_t>(i)], inside), 0, i);
    for (const std::string& kind : kindsOf(session, session.results().rates()))
        addRow(*grid, kind);
    addRow(*grid, {});
    grid->setRowStretch(grid->rowCount(), 1);
    auto* scroll = new QScrollArea(this);
    scroll->setWidget(inside);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setAccessibleName(tr("Prices and power by kind of GPU"));
    scroll->setFocusPolicy(Qt::NoFocus);

    m_fault->setObjectName(QStringLiteral("ratesFault"));
    m_fault->setWordWrap(true);
    m_fault->setText(
        tr("%1 What is entered here takes its place; the old file is kept beside it.").arg(text(session.results().ratesFault())));
    m_fault->setVisible(!session.results().ratesFault().empty());
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    connect(buttons, &QDialogButtonBox::accepted, this, &RatesDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &RatesDialog::reject);
    auto* column = new QVBoxLayout(this);
    column->addWidget(what);
    column->addWidget(scroll, 1);
    column->addWidget(m_fault);
    column->addWidget(buttons);
    resize(560, std::min(sizeHint().height() + 34 * static_cast<int>(m_rows.size()), 560));
    m_rows.front().price->setFocus();
}

void RatesDialog::addRow(QGridLayout& grid, const std::string& hardware)
{
    const QString kind = hardware.empty() ? tr("All other GPUs") : text(hardware);
    const int row = grid.rowCount();
    auto* label = new QLabel(kind);
    label->setTextFormat(Qt::PlainText);
    grid.addWidget(label, row, 0);
    const auto field = [&](const QString& now, const QString& name, int column) {
        auto* made = new QLineEdit(now);
        made->setPlaceholderText(tr("not known"));
        made->setAccessibleName(name.arg(kind));
        made->setAlignment(Qt::AlignRight);
        grid.addWidget(made, row, column);
        return made;
    };
    const analysis::Rates& rates = m_session.results().rates();
    m_rows.push_back({hardware, field(ownRate(rates.prices, hardware), tr("US dollars a GPU-hour of %1"), 1),
                      field(ownRate(rates.powers, hardware), tr("Watts of %1"), 2)});
}

void RatesDialog::accept()
{
    analysis::Rates rates;
    for (const Row& row : m_rows)
        for (const auto& [field, list] : {std::pair(row.price, &rates.prices), std::pair(row.power, &rates.powers)}) {
            const std::string words = field->text().trimmed().toStdString();
            if (words.empty())
                continue;
            const auto number = base::numberOf(words);
            if (!number || !std::isfinite(*number) || *number <= 0) {
                m_fault->setText(tr("\"%1\" is no number above 0: write one such as 3.5, or leave the field empty.").arg(text(words)));
                m_fault->show();
                field->setFocus();
                field->selectAll();
                return;
            }
            list->push_back({row.hardware, *number});
        }
    if (rates != m_session.results().rates())
        m_session.results().setRates(rates);
    QDialog::accept();
}

} // namespace wb::ui
