from srtwb_stub import option, server_worker

server_worker(int(option("--port")))
