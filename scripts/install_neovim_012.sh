#!/bin/bash
# Unpack Neovim 0.12 from a newer Debian suite into a folder of its own, beside the system: the system's sources, lists
# and package database stay as they are. Usage: install_neovim_012.sh DEST [SUITE]; afterwards run DEST/nvim.
set -euo pipefail
dest=$(realpath -m "$1")
suite=${2:-forky}
work=$dest.apt
mirror=$(apt-get indextargets --format '$(REPO_URI)' 2>/dev/null | grep -m1 '/debian/\?$') ||
  mirror=http://deb.debian.org/debian
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
[ -e "$keyring" ] || { echo "no Debian keyring at $keyring: nothing that is fetched could be verified" >&2; exit 1; }
rm -rf "$work" "$dest"
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/lists/partial "$work"/cache/archives/partial "$dest"
echo "deb [signed-by=$keyring] $mirror $suite main" >"$work/sources.list"
: >"$work/status"
cat >"$work/apt.conf" <<CONF
Dir::Etc::sourcelist "$work/sources.list";
Dir::Etc::sourceparts "-";
Dir::State::lists "$work/lists";
Dir::State::status "$work/status";
Dir::Cache "$work/cache";
APT::Install-Recommends "0";
APT::Sandbox::User "root";
CONF
export APT_CONFIG=$work/apt.conf
apt-get update -q
apt-get install -y -q --download-only neovim
for deb in "$work"/cache/archives/*.deb; do dpkg-deb -x "$deb" "$dest"; done
# Run through a loader the editor does not find its bundled parsers by itself; in its runtime folder it does.
ln -sfn ../../../lib/nvim/parser "$dest/usr/share/nvim/runtime/parser"
# The newer C library comes along, so the editor runs through its own loader.
cat >"$dest/nvim" <<RUN
#!/bin/sh
root=$dest
for loader in "\$root"/usr/lib64/ld-linux-*.so.* "\$root"/lib64/ld-linux-*.so.* "\$root"/usr/lib/*/ld-linux-*.so.*; do
  [ -e "\$loader" ] && break
done
libraries=\$(echo "\$root"/usr/lib/*-linux-gnu "\$root"/lib/*-linux-gnu | tr ' ' ':')
VIMRUNTIME=\$root/usr/share/nvim/runtime exec "\$loader" --library-path "\$libraries" "\$root/usr/bin/nvim" "\$@"
RUN
chmod +x "$dest/nvim"
"$dest/nvim" --version | head -1
