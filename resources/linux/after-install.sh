#!/bin/sh
# Runs after deb and rpm were unpacked. The system's own triggers update its lists of programs, icons and kinds of files.
set -e
program="/opt/Zenith Desk"

# Chromium's sandbox uses user namespaces, or else a helper that runs as root.
setting() { cat "/proc/sys/$1" 2>/dev/null || echo 1; }
if [ -e /proc/self/ns/user ] && [ "$(setting user/max_user_namespaces)" != 0 ] &&
  [ "$(setting kernel/unprivileged_userns_clone)" != 0 ]; then
  chmod 0755 "$program/chrome-sandbox"
else
  chmod 4755 "$program/chrome-sandbox"
fi

# Since 24.04, Ubuntu allows user namespaces only to programs with a profile. Earlier versions cannot read this one.
profile="$program/resources/apparmor-profile"
if apparmor_status --enabled >/dev/null 2>&1 && apparmor_parser --skip-kernel-load "$profile" >/dev/null 2>&1; then
  cp "$profile" /etc/apparmor.d/zenith-desk
  apparmor_parser --replace --write-cache --skip-read-cache /etc/apparmor.d/zenith-desk ||
    echo "The AppArmor profile of Zenith Desk is loaded at the next start of the system." >&2
fi
