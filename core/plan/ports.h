// First port of each range. Ranges that count for the whole job are told from those that start anew on each node.
#pragma once

#include <cstdint>

namespace wb::plan::ports {

inline constexpr std::int64_t etcd = 2379;
inline constexpr std::int64_t nats = 4222;
inline constexpr std::int64_t kvEvents = 5200; ///< Whole job.
inline constexpr std::int64_t nixl = 5400;     ///< Whole job.
inline constexpr std::int64_t kvbm = 5600;     ///< Two for each port of kv events.
inline constexpr std::int64_t http = 6100;     ///< Node.
inline constexpr std::int64_t httpStep = 32;
inline constexpr std::int64_t bootstrap = 7200; ///< Node.
inline constexpr std::int64_t system = 7500;    ///< Whole job.
inline constexpr std::int64_t publicApi = 8000;
inline constexpr std::int64_t frontend = 8180;
inline constexpr std::int64_t distInit = 8300;
inline constexpr std::int64_t dpRpc = 8400;    ///< Node.
inline constexpr std::int64_t mooncake = 8700; ///< And its metadata and metrics behind it.
inline constexpr std::int64_t nccl = 17'500;   ///< + number of the process.
inline constexpr std::int64_t vllm = 20'000;   ///< + 50 x number of the process.
inline constexpr std::int64_t vllmStep = 50;
inline constexpr std::int64_t last = 65'535;

} // namespace wb::plan::ports
