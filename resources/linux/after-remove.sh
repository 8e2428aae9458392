#!/bin/sh
# Runs after deb and rpm were removed, and during updates. dpkg passes a word, rpm the number of versions that remain.
set -e
case "$1" in
  remove | purge | 0) ;;
  *) exit 0 ;;
esac
profile=/etc/apparmor.d/zenith-desk
if [ -f "$profile" ]; then
  apparmor_parser --remove "$profile" >/dev/null 2>&1 || true
  rm -f "$profile"
fi
