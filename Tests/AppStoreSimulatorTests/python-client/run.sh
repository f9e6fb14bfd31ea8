#!/bin/sh
# Runs Apple's Python client against the simulator.
# Usage: run.sh COMMAND...   where COMMAND serves the simulator on the port that replaces the word PORT,
# for instance: run.sh .build/release/payrecon simulate appstore --port PORT --seed 7
# The virtual environment is made once, in PAYRECON_VENV or below the system's temporary folder.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
environment=${PAYRECON_VENV:-${TMPDIR:-/tmp}/payrecon-python-client}
if [ ! -x "$environment/bin/python" ]; then
  python3 -m venv "$environment"
fi
"$environment/bin/python" -c 'import appstoreserverlibrary' 2>/dev/null ||
  "$environment/bin/pip" install --quiet 'app-store-server-library==3.1.2'

port=$("$environment/bin/python" -c \
  'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
# Every argument that is the word PORT becomes the number.
count=$#
while [ "$count" -gt 0 ]; do
  argument=$1
  shift
  [ "$argument" = PORT ] && argument=$port
  set -- "$@" "$argument"
  count=$((count - 1))
done
"$@" &
server=$!
trap 'kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true' EXIT
tries=0
until "$environment/bin/python" - "$port" <<'PROBE'
import sys, urllib.request
try:
    urllib.request.urlopen(f"http://127.0.0.1:{sys.argv[1]}/control/clock", timeout=2).read()
except OSError:
    sys.exit(1)
PROBE
do
  tries=$((tries + 1))
  [ "$tries" -lt 100 ] || { echo "the simulator did not answer on port $port" >&2; exit 1; }
  kill -0 "$server" 2>/dev/null || { echo "the simulator ended before it answered" >&2; exit 1; }
  sleep 0.1
done
"$environment/bin/python" "$here/run.py" "http://127.0.0.1:$port"
