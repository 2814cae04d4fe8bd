#!/bin/sh
# After the deb or the rpm is removed. Both also call it for the old package while they upgrade: dpkg with a word, rpm with the number of packages that stay.
case "$1" in
  upgrade | failed-upgrade | abort-install | abort-upgrade | disappear) exit 0 ;;
  [1-9]*) exit 0 ;;
esac

if command -v update-alternatives >/dev/null 2>&1; then
  update-alternatives --remove '${executable}' '/opt/${sanitizedProductName}/${executable}'
else
  rm -f '/usr/bin/${executable}'
fi

rm -f /usr/bin/sealdesk-cli

profile='/etc/apparmor.d/${executable}'
if [ -f "$profile" ]; then
  if command -v apparmor_status >/dev/null 2>&1 && apparmor_status --enabled >/dev/null 2>&1; then
    if ! { command -v ischroot >/dev/null 2>&1 && ischroot; }; then apparmor_parser --remove "$profile" || true; fi
  fi
  rm -f "$profile"
fi
exit 0
