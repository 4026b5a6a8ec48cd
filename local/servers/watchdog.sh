#!/bin/sh
# Outlives its parent by a few seconds only: at the end of its input (the parent closed the pipe, or died in any
# way, kill -9 included) it stops every process that is still on its list, first kindly, then by force.
# Input lines: "add PID SIGNAL" and "remove PID".

trap '' INT TERM HUP
list=''
patience=50 # tenths of a second; PostgreSQL's fast shutdown takes under one second with a small cache

without() {
  kept=''
  for entry in $list; do
    [ "${entry%%:*}" = "$1" ] || kept="$kept $entry"
  done
  list=$kept
}

# A zombie, which only waits for its new parent to look, has ended.
alive() {
  for entry in $list; do
    kill -0 "${entry%%:*}" 2>/dev/null || continue
    state=''
    [ -r "/proc/${entry%%:*}/stat" ] && read -r state <"/proc/${entry%%:*}/stat"
    case $state in *') Z '*) continue ;; esac
    return 0
  done
  return 1
}

while read -r verb pid signal; do
  case $verb in
    add) list="$list $pid:$signal" ;;
    remove) without "$pid" ;;
  esac
done

for entry in $list; do kill -s "${entry#*:}" "${entry%%:*}" 2>/dev/null; done
while alive && [ $patience -gt 0 ]; do
  sleep 0.1
  patience=$((patience - 1))
done
for entry in $list; do kill -s KILL "${entry%%:*}" 2>/dev/null; done
exit 0
