#!/bin/sh
# After the deb or the rpm is installed or upgraded.
program='/opt/${sanitizedProductName}/${executable}'
link='/usr/bin/${executable}'
sandbox='/opt/${sanitizedProductName}/chrome-sandbox'

if command -v update-alternatives >/dev/null 2>&1; then
  # A link of an older package is not one of the alternatives.
  [ -L "$link" ] && [ "$(readlink "$link")" != '/etc/alternatives/${executable}' ] && rm -f "$link"
  update-alternatives --install "$link" '${executable}' "$program" 100 || ln -sf "$program" "$link"
else
  ln -sf "$program" "$link"
fi

# The command line is found by its own link: it looks for the program beside the file that the link leads to.
ln -sf '/opt/${sanitizedProductName}/sealdesk-cli' /usr/bin/sealdesk-cli

# The program needs user namespaces as an ordinary user; root has them nearly always. Without them the sandbox starts with its owner's rights.
if [ -L /proc/self/ns/user ] && setpriv --reuid=65534 --regid=65534 --clear-groups unshare --user true 2>/dev/null; then
  chmod 0755 "$sandbox" || true
else
  chmod 4755 "$sandbox" || true
fi

command -v update-mime-database >/dev/null 2>&1 && update-mime-database /usr/share/mime
command -v update-desktop-database >/dev/null 2>&1 && update-desktop-database /usr/share/applications

# Ubuntu 24 and later let only programs with a profile use namespaces. Older AppArmor does not know the profile's language, and does not need it.
if command -v apparmor_status >/dev/null 2>&1 && apparmor_status --enabled >/dev/null 2>&1; then
  profile='/opt/${sanitizedProductName}/resources/apparmor-profile'
  if apparmor_parser --skip-kernel-load --debug "$profile" >/dev/null 2>&1; then
    cp -f "$profile" '/etc/apparmor.d/${executable}'
    # In an image that is being prepared nothing is loaded.
    if ! { command -v ischroot >/dev/null 2>&1 && ischroot; }; then
      apparmor_parser --replace --write-cache --skip-read-cache '/etc/apparmor.d/${executable}' || true
    fi
  fi
fi
exit 0
