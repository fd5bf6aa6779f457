# nats and etcd on node000, 1 task
python3 /tmp/setup_head.py \
    --name r1-disagg \
    --log-dir '/shared/out puts/<JOB_ID>/logs'
