#!/bin/sh
# Outlives its parent by a few seconds only: at the end of its input (the parent closed the pipe, or died in any
# way, kill -9 included) it stops every process that is still on its list, first kindly, then by force.
# Input lines: "add PID SIGNAL", "remove PID", and "folder PATH": all processes that work in it then, which were started
# by others (a PostgreSQL under Patroni, whose postmaster waits for ever for what is frozen).

trap '' INT TERM HUP
list=''
folders='|'
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
    folder) folders="$folders$pid${signal:+ $signal}|" ;;
  esac
done

if [ "$folders" != '|' ]; then
  for process in /proc/[0-9]*; do
    case $folders in
      *"|$(readlink "$process/cwd" 2>/dev/null)|"*) list="$list ${process#/proc/}:INT" ;;
    esac
  done
fi
# One that is frozen would not hear the signal.
for entry in $list; do
  kill -s "${entry#*:}" "${entry%%:*}" 2>/dev/null
  kill -s CONT "${entry%%:*}" 2>/dev/null
done
while alive && [ $patience -gt 0 ]; do
  sleep 0.1
  patience=$((patience - 1))
done
for entry in $list; do kill -s KILL "${entry%%:*}" 2>/dev/null; done
exit 0
