# nginx on node000, 1 task
bash -c 'nginx -c /logs/nginx.conf -g '\''daemon off;'\'''
