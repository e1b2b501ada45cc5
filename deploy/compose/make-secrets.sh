#!/bin/sh
# make-secrets.sh [FOLDER]: makes every secret of compose.yaml that is not there yet, into compose/secrets by default.
#
# Addresses in them are those of compose.yaml, or POSTGRES_AT, REDIS_AT and CLICKHOUSE_AT (host:port). Passwords that are
# there stay, so it may be run again at any time; delete one to have it made anew, in the order of docs/rotation.md.
# Containers read the files as users of their own, so the folder is what keeps others away.
set -eu
umask 022

folder=${1:-$(dirname "$0")/secrets}
mkdir -p "$folder"
chmod 700 "$folder"
cd "$folder"

random() {
  openssl rand -hex 32
}
# Writes standard input to the file, whole or not at all.
keep() {
  cat >"$1.new"
  chmod 444 "$1.new"
  mv "$1.new" "$1"
  echo "made $1"
}
made() {
  [ -s "$1" ] || random | keep "$1"
}
sha256() {
  printf %s "$(cat "$1")" | openssl dgst -sha256 -r | cut -d ' ' -f 1
}
# What is made of passwords is made of them each time, so that it always fits.
derive() {
  if [ "$(cat "$1" 2>/dev/null)" != "$2" ]; then printf '%s\n' "$2" | keep "$1"; fi
}

made postgres_superuser_password
for who in owner management redirect; do
  made "postgres_${who}_password"
  derive "database_url_$who" "postgres://smartlink_$who:$(cat "postgres_${who}_password")@${POSTGRES_AT:-postgres:5432}/smartlink"
done

made redis_password
derive redis_url "redis://smartlink:$(cat redis_password)@${REDIS_AT:-redis:6379}"
commands='+@read +@write +@scripting +@pubsub +@connection +info +time'
derive redis_acl "user default off
user smartlink on #$(sha256 redis_password) ~smartlink:* resetchannels &smartlink:* $commands"

hashes=
for who in migrate management redirect; do
  made "clickhouse_${who}_password"
  derive "clickhouse_url_$who" "http://smartlink_$who:$(cat "clickhouse_${who}_password")@${CLICKHOUSE_AT:-clickhouse:8123}/smartlink"
  hashes="$hashes<smartlink_${who}_hash>$(sha256 "clickhouse_${who}_password")</smartlink_${who}_hash>"
done
derive clickhouse_hashes "<clickhouse>$hashes</clickhouse>"

made cookie_secrets
made grafana_admin_password
