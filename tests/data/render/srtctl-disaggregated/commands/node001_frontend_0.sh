# frontend 0 on node001, 1 task, MPI pmix
# dynamo is installed in the container first.
python3 -m dynamo.frontend \
    --http-port=8180
