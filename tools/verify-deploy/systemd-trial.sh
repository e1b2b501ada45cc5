#!/bin/sh
# Runs inside the booted system of systemd-units.ts, as root; its last line is `held`, or says what is wrong. The folder
# /trial has the secrets and the variables of the services.
set -eu

fail() {
  journalctl --no-pager --lines 40 --unit 'smartlink-*'
  echo "$1"
  exit 1
}
# until_true SECONDS WHAT COMMAND…
until_true() {
  seconds=$1
  what=$2
  shift 2
  while ! "$@" >/dev/null 2>&1; do
    seconds=$((seconds - 1))
    [ "$seconds" -gt 0 ] || fail "not in time: $what"
    sleep 1
  done
}
ready() {
  wget --quiet --tries=1 --timeout=3 --output-document=/dev/null "http://127.0.0.1:$1/-/ready"
}
complete() {
  journalctl --unit smartlink-redirect | grep -q 'rolling restart is complete'
}
retried() {
  [ "$(systemctl show --property NRestarts --value smartlink-redirect)" -ge 8 ]
}
# Set by the variables of the trial.
management=$MANAGEMENT_PORT redirect=$REDIRECT_PORT

mkdir -p /etc/smartlink
cp -r /trial/secrets /trial/*.env /etc/smartlink/

echo 'step: redirect is started before the schema is there'
systemctl start smartlink-redirect || true
until_true 40 'eight restarts' retried
systemctl is-failed --quiet smartlink-redirect && fail 'smartlink-redirect is given up'

echo 'step: migrate, then both become ready by themselves'
systemctl start smartlink-migrate || fail 'smartlink-migrate failed'
systemctl start smartlink-management
until_true 30 'redirect is ready' ready "$redirect"
until_true 30 'management is ready' ready "$management"

echo 'step: reload is a rolling restart'
systemctl reload smartlink-redirect || fail 'reload failed'
until_true 30 'the rolling restart is complete' complete
ready "$redirect" || fail 'redirect does not answer after the reload'

echo 'step: backup'
systemctl start smartlink-backup || fail 'smartlink-backup failed'
ls /var/lib/smartlink/backup/*/manifest.json || fail 'no backup was made'
systemctl enable --now smartlink-backup.timer
systemctl list-timers --no-pager smartlink-backup.timer

echo 'step: stop'
systemctl stop smartlink-redirect smartlink-management
for unit in redirect management; do
  [ "$(systemctl show --property Result --value smartlink-$unit)" = success ] || fail "$unit has not stopped cleanly"
done
echo held
