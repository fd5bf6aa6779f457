# prefill worker 1 on node000, 1 task
# dynamo is installed in the container first.
python3 -m dynamo.sglang \
    --model-path /model \
    --served-model-name r1 \
    --host 0.0.0.0 \
    --port 6132 \
    --nccl-port 17501 \
    --disaggregation-mode prefill \
    --disaggregation-bootstrap-port 7201 \
    --dump-config-to '/shared/out puts/<JOB_ID>/logs/node000_config.json' \
    --request-plane nats \
    --tensor-parallel-size 4
