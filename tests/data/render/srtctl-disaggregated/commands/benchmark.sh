# sa-bench on node000, 1 task
bash /srtctl-benchmarks/sa-bench/bench.sh http://localhost:8000 1024 8192 4x8 inf /model r1 true 24 8 16 0.8 10 2 '' false random '' false
