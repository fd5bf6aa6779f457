// What the tests of the models share: random subsets and orders of a set of things, given to a model again and again.
#pragma once

#include <algorithm>
#include <random>
#include <vector>

namespace wb::ui::test {

class Shuffler
{
public:
    /// Some of the numbers below `count`, each at most once, in some order.
    [[nodiscard]] std::vector<int> some(int count)
    {
        std::vector<int> numbers;
        for (int i = 0; i < count; ++i) {
            if (m_random() % 3 != 0)
                numbers.push_back(i);
        }
        if (m_random() % 2 == 0)
            std::shuffle(numbers.begin(), numbers.end(), m_random);
        return numbers;
    }

    [[nodiscard]] std::mt19937& random() { return m_random; }

private:
    std::mt19937 m_random{20260821};
};

} // namespace wb::ui::test
