from srtwb_stub import dynamo_worker

dynamo_worker()
