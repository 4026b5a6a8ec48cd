#!/bin/sh
# Backs PostgreSQL up with pg_dump; deploy/compose.yaml runs it in a container of its own. Which server and database: PG*.
#   backup.sh        for ever: makes a dump as soon as the newest is a day old
#   backup.sh once   makes one now
#   backup.sh check  exits 1 if there is none from the last 26 hours
# A dump has everything of everybody: keep the folder as you keep the database, and copy it to another place.
set -eu
umask 077
folder=${BACKUP_FOLDER:-/backups}
keep_days=${BACKUP_KEEP_DAYS:-14}

has_one_of_minutes() {
  [ -n "$(find "$folder" -name 'postrider-*.dump' -mmin "-$1")" ]
}

# Under its own name only once it is whole, and what is old goes only once there is a new one.
dump() {
  file=$folder/postrider-$(date -u +%Y%m%dT%H%M%SZ).dump
  if pg_dump --format=custom --no-owner --no-privileges --file="$file.part" &&
    pg_restore --file=/dev/null "$file.part" &&
    mv "$file.part" "$file"; then
    find "$folder" -name 'postrider-*.dump' -mtime "+$keep_days" -delete
    echo "backed up to $file"
  else
    rm -f "$folder"/postrider-*.part
    return 1
  fi
}

case ${1:-loop} in
  once) dump ;;
  check) has_one_of_minutes 1560 ;;
  loop)
    while :; do
      has_one_of_minutes 1440 || dump || echo 'the backup failed; the next try is in ten minutes' >&2
      sleep 600
    done
    ;;
  *)
    echo 'usage: backup.sh [once|check]' >&2
    exit 2
    ;;
esac
