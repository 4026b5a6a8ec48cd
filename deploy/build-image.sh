#!/bin/sh
# Builds the image without Docker and its registry: Debian from packages (mmdebstrap), Node and npm from npm, deploy/Dockerfile on
# top of that (buildah). As root, on Debian with `apt-get install buildah mmdebstrap crun`. From a checkout after `npm ci`:
#   deploy/build-image.sh [archive]    default: .local/postrider-image.tar, for `docker load`, `podman load`, `skopeo copy`
# Ends with the digest. NPM_CAFILE names certificates that npm has to trust beside its own.
set -eu
umask 022
cd "$(dirname "$0")/.."
archive=${1:-.local/postrider-image.tar}
export STORAGE_DRIVER="${STORAGE_DRIVER:-vfs}" BUILDAH_ISOLATION="${BUILDAH_ISOLATION:-chroot}"
node_package=node_modules/node-linux-$(dpkg --print-architecture | sed 's/amd64/x64/')
npm_version=11.6.2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

echo "Debian, from packages"
mmdebstrap --quiet --variant=essential --include=ca-certificates,libstdc++6 bookworm "$work/debian.tar"

echo "Node $("$node_package/bin/node" --version) and npm $npm_version, from npm"
mkdir -p "$work/usr/local/bin" "$work/usr/local/lib/node_modules/npm"
cp "$node_package/bin/node" "$work/usr/local/bin/"
npm pack --silent --pack-destination "$work" "npm@$npm_version" >/dev/null
tar -xzf "$work/npm-$npm_version.tgz" -C "$work/usr/local/lib/node_modules/npm" --strip-components=1
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$work/usr/local/bin/npm"

base=$(buildah from scratch)
buildah add --quiet "$base" "$work/debian.tar" / >/dev/null
buildah add --quiet "$base" "$work/usr/local" /usr/local >/dev/null
buildah config --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$base"
buildah commit --quiet --format docker --rm "$base" localhost/postrider-base >/dev/null

echo "deploy/Dockerfile"
: >"$work/npmrc"
certificates=
if [ -n "${NPM_CAFILE:-}" ]; then
  echo "cafile=/run/npm-cafile.pem" >"$work/npmrc"
  certificates="--volume=$(realpath "$NPM_CAFILE"):/run/npm-cafile.pem:ro"
fi
# shellcheck disable=SC2086 -- no certificates are no argument
buildah build --quiet --format docker --network host --from localhost/postrider-base \
  --volume "$work/npmrc:/root/.npmrc:ro" $certificates --file deploy/Dockerfile --tag localhost/postrider . >/dev/null
rm -f "$archive" # one that is there cannot be written over
buildah push --quiet --digestfile "$work/digest" localhost/postrider "docker-archive:$archive:localhost/postrider:latest"
echo "$archive $(cat "$work/digest")"
