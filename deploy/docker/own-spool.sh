#!/bin/sh
# own-spool.sh FOLDER COMMAND…: runs the command with SPOOL_DIR naming a folder below FOLDER that no other replica uses.
#
# Replicas that compose scales share one volume, and their names and numbers change. So each takes the first numbered
# folder with a free lock. The kernel releases the lock when the process ends, however it ends. Folders with waiting
# events come first, so that the next replica that starts adopts the events of a removed one.
set -eu

spools=$1
shift
spools_max=256

# Keeps descriptor 9 open, and with it the lock, in whatever it execs.
take() {
  mkdir -p "$1"
  exec 9>"$1/.lock"
  flock -n 9
}

waiting=$(find "$spools" -mindepth 2 -maxdepth 2 -type f \( -name '*.open' -o -name '*.seg' -o -name '*.again' \) \
  -exec dirname {} \; | sort -u)
number=1
all=$(while [ $number -le $spools_max ]; do
  echo "$spools/$number"
  number=$((number + 1))
done)

for folder in $waiting $all; do
  if take "$folder"; then
    export SPOOL_DIR="$folder"
    exec "$@"
  fi
done
echo "All $spools_max spools below $spools are in use." >&2
exit 1
