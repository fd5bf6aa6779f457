# decode worker 0 on node001, 1 task
# dynamo is installed in the container first.
python3 -m dynamo.sglang \
    --model-path /model \
    --served-model-name r1 \
    --host 0.0.0.0 \
    --port 6100 \
    --nccl-port 17502 \
    --disaggregation-mode decode \
    --dist-init-addr '<node001-ip>:8300' \
    --nnodes 2 \
    --node-rank 0 \
    --dump-config-to '/shared/out puts/<JOB_ID>/logs/node001_config.json' \
    --request-plane nats \
    --tensor-parallel-size 16
