#!/bin/sh
# Runs roles.sql in the container of compose.yaml, with the passwords of the secrets.
set -eu

secret() {
  cat "/run/secrets/$1"
}
PGPASSWORD=$(secret postgres_superuser_password)
PGOPTIONS="-c smartlink.owner_password=$(secret postgres_owner_password)"
PGOPTIONS="$PGOPTIONS -c smartlink.management_password=$(secret postgres_management_password)"
PGOPTIONS="$PGOPTIONS -c smartlink.redirect_password=$(secret postgres_redirect_password)"
export PGPASSWORD PGOPTIONS
exec psql --host=postgres --username=postgres --dbname=smartlink --quiet --no-psqlrc --single-transaction \
  --set=ON_ERROR_STOP=1 --file=/roles.sql
