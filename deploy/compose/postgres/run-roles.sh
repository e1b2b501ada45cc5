#!/bin/sh
# Runs roles.sql in the container of compose.yaml, with the passwords of the secrets. Creates the database if it does not
# exist, as before a restore.
set -eu

secret() {
  cat "/run/secrets/$1"
}
PGPASSWORD=$(secret postgres_superuser_password)
PGOPTIONS="-c smartlink.owner_password=$(secret postgres_owner_password)"
PGOPTIONS="$PGOPTIONS -c smartlink.management_password=$(secret postgres_management_password)"
PGOPTIONS="$PGOPTIONS -c smartlink.redirect_password=$(secret postgres_redirect_password)"
export PGPASSWORD PGOPTIONS
export PGHOST=postgres PGUSER=postgres

database=$(secret postgres_database)
found="select 1 from pg_database where datname = :'name'"
if [ -z "$(echo "$found" | psql --dbname=postgres --no-psqlrc --tuples-only --no-align --set=ON_ERROR_STOP=1 --set="name=$database")" ]; then
  createdb --maintenance-db=postgres "$database"
fi
exec psql --dbname="$database" --quiet --no-psqlrc --single-transaction \
  --set=ON_ERROR_STOP=1 --file=/roles.sql
