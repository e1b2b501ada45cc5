#!/bin/sh
# make-secrets.sh [FOLDER]: creates the missing secrets of compose.yaml, in compose/secrets by default.
#
# Addresses in them are those of compose.yaml, or POSTGRES_AT, REDIS_AT and CLICKHOUSE_AT (host:port). Existing
# passwords stay, so it can be run again at any time; delete one to replace it, in the order of docs/operate.md. The
# files postgres_database and clickhouse_database name the databases: docs/backup.md changes them after a restore.
# Containers read the files with different users, so only the folder protects them.
set -eu
umask 022

folder=${1:-$(dirname "$0")/secrets}
mkdir -p "$folder"
chmod 700 "$folder"
cd "$folder"

random() {
  openssl rand -hex 32
}
# Writes standard input to the file. A container sees the file that existed when it was started, so the content is
# replaced and not the file. It is first written beside the file, where a full disk does no harm.
keep() {
  cat >"$1.new"
  if [ -e "$1" ]; then
    chmod 644 "$1"
    cat "$1.new" >"$1"
    rm "$1.new"
  else
    mv "$1.new" "$1"
  fi
  chmod 444 "$1"
  echo "made $1"
}
made() {
  [ -s "$1" ] || random | keep "$1"
}
sha256() {
  printf %s "$(cat "$1")" | openssl dgst -sha256 -r | cut -d ' ' -f 1
}
# Values derived from passwords are computed each time, so that they always match.
derive() {
  if [ "$(cat "$1" 2>/dev/null)" != "$2" ]; then printf '%s\n' "$2" | keep "$1"; fi
}

for engine in postgres clickhouse; do
  [ -s "${engine}_database" ] || echo smartlink | keep "${engine}_database"
done
postgres="${POSTGRES_AT:-postgres:5432}/$(cat postgres_database)"
clickhouse="${CLICKHOUSE_AT:-clickhouse:8123}/$(cat clickhouse_database)"

made postgres_superuser_password
for who in owner management redirect; do
  made "postgres_${who}_password"
  derive "database_url_$who" "postgres://smartlink_$who:$(cat "postgres_${who}_password")@$postgres"
done

made redis_password
derive redis_url "redis://smartlink:$(cat redis_password)@${REDIS_AT:-redis:6379}"
# Emptying it (FLUSHDB), listing it (KEYS) and the like is for operators.
commands='+@read +@write +@scripting +@pubsub +@connection -@dangerous +info +time'
derive redis_acl "user default off
user smartlink on #$(sha256 redis_password) ~smartlink:* resetchannels &smartlink:* $commands"

hashes=
for who in migrate management redirect operator; do
  made "clickhouse_${who}_password"
  derive "clickhouse_url_$who" "http://smartlink_$who:$(cat "clickhouse_${who}_password")@$clickhouse"
  hashes="$hashes<smartlink_${who}_hash>$(sha256 "clickhouse_${who}_password")</smartlink_${who}_hash>"
done
derive clickhouse_hashes "<clickhouse>$hashes</clickhouse>"

made cookie_secrets
made grafana_admin_password
# Where alerts go: write an address of yours into it.
[ -e alert_webhook ] || echo http://127.0.0.1:9/alerts-go-nowhere | keep alert_webhook
