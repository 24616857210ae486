#!/bin/sh
# The server's --worker. What it becomes is in the file beside it: the real worker, one with another limit of memory,
# the proxy that spoils frames, or nothing that works.
read -r mode value <"$0.mode"
case $mode in
direct) exec "$MCA_FAULTS_WORKER" "$@" ;;
memory) exec "$MCA_FAULTS_WORKER" "$@" --memory-limit-mb "$value" ;;
proxy) exec "$MCA_FAULTS_NODE" "$MCA_FAULTS_PROXY" "$0.plan" "$MCA_FAULTS_WORKER" "$@" ;;
exit) exit "$value" ;;
signal) kill -s "$value" $$ ;;
silent) exec sleep 1000 ;;
esac
