// node scripts/manifests.ts <folder of installers> <address they are published under>: writes beside them the manifests of
// winget, Homebrew and Flatpak, with the checksums of these files, and the feed that the program checks for a new version.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import packageJson from "../package.json" with { type: "json" };
import { FEED_FILE, VERSION } from "#main/program.ts";
import { DESKTOP_ID, SUMMARY } from "./metainfo.ts";

/** A published file, its address and its SHA-256 in hexadecimal. */
export interface Installer {
  readonly name: string;
  readonly url: string;
  readonly sha256: string;
}

const ID = "ZenithDesk.ZenithDesk";
const WINGET_SCHEMA = "1.10.0";

/**
 * Creates the manifests, by file name.
 *
 * @throws Error if a required installer is missing
 */
export function manifests(installers: readonly Installer[], version: string): ReadonlyMap<string, string> {
  const find = (ending: string): Installer => {
    const found = installers.find(({ name }) => name === `zenith-desk-${version}-${ending}`);
    if (!found) throw new Error(`There is no zenith-desk-${version}-${ending} among the installers.`);
    return found;
  };
  return new Map([
    ...winget(find, version),
    ["zenith-desk.rb", homebrew(find, version)],
    [`${DESKTOP_ID}.yml`, flatpak(find)],
  ]);
}

type Find = (ending: string) => Installer;

/** Three files, because winget accepts a single one for one installer only. */
function winget(find: Find, version: string): [name: string, text: string][] {
  const manifest = (type: string, fields: string): string =>
    `# yaml-language-server: $schema=https://aka.ms/winget-manifest.${type}.${WINGET_SCHEMA}.schema.json
PackageIdentifier: ${ID}
PackageVersion: ${version}
${fields}ManifestType: ${type}
ManifestVersion: ${WINGET_SCHEMA}
`;
  const scope = (arch: string, name: string, option: string): string => {
    const { url, sha256 } = find(`win-${arch}.exe`);
    return `  - Architecture: ${arch}
    Scope: ${name}
    InstallerUrl: ${url}
    InstallerSha256: ${sha256.toUpperCase()}
    InstallerSwitches:
      Custom: ${option}
`;
  };
  const installers = ["x64", "arm64"].map(
    (arch) => scope(arch, "user", "/currentuser") + scope(arch, "machine", "/allusers"),
  );
  return [
    [`${ID}.yaml`, manifest("version", "DefaultLocale: en-US\n")],
    [
      `${ID}.installer.yaml`,
      manifest(
        "installer",
        `InstallerType: nullsoft
Commands:
  - zenith
FileExtensions:
  - nc
  - nc4
  - zenith
Installers:
${installers.join("")}`,
      ),
    ],
    [
      `${ID}.locale.en-US.yaml`,
      manifest(
        "defaultLocale",
        `PackageLocale: en-US
Publisher: ${packageJson.author.name}
PackageName: Zenith Desk
PackageUrl: ${packageJson.homepage}
License: ${packageJson.license}
ShortDescription: ${SUMMARY}
`,
      ),
    ],
  ];
}

/** The command is linked under the name of the cask: `zenith` is another program's formula. */
function homebrew(find: Find, version: string): string {
  const [arm, intel] = [find("mac-arm64.dmg"), find("mac-x64.dmg")];
  return `cask "zenith-desk" do
  arch arm: "arm64", intel: "x64"

  version "${version}"
  sha256 arm:   "${arm.sha256}",
         intel: "${intel.sha256}"

  url "${arm.url.replace(version, "#{version}").replace("-arm64.dmg", "-#{arch}.dmg")}"
  name "Zenith Desk"
  desc "${SUMMARY}"
  homepage "${packageJson.homepage}"

  depends_on macos: ">= :ventura"

  app "Zenith Desk.app"
  binary "#{appdir}/Zenith Desk.app/Contents/Resources/bin/zenith", target: "zenith-desk"

  zap trash: "~/Library/Application Support/Zenith Desk"
end
`;
}

function debSource(arch: string, { url, sha256 }: Installer): string {
  return `      - type: file
        only-arches: [${arch}]
        dest-filename: zenith-desk.deb
        url: ${url}
        sha256: ${sha256}
`;
}

/**
 * Uses the deb, because a Flatpak's sources have to be files with checksums. A Flatpak exports only files that are named
 * after its id.
 */
function flatpak(find: Find): string {
  return `id: ${DESKTOP_ID}
runtime: org.freedesktop.Platform
runtime-version: "25.08"
sdk: org.freedesktop.Sdk
base: org.electronjs.Electron2.BaseApp
base-version: "25.08"
command: zenith-desk
# The network for the service, the downloads for exports, the portal for everything else.
finish-args:
  - --share=ipc
  - --share=network
  - --socket=wayland
  - --socket=fallback-x11
  - --device=dri
  - --filesystem=xdg-download
  - --filesystem=xdg-documents
  - --talk-name=org.freedesktop.secrets
  - --talk-name=org.freedesktop.Notifications
modules:
  - name: zenith-desk
    buildsystem: simple
    build-commands:
      - ar x zenith-desk.deb && tar -xf data.tar.*
      - mkdir -p /app/bin /app/share
      - cp -r "opt/Zenith Desk" /app/zenith-desk && rm -f /app/zenith-desk/chrome-sandbox
      - install -Dm755 start.sh /app/bin/zenith-desk
      - ln -s /app/zenith-desk/resources/bin/zenith /app/bin/zenith
      - sed -i -e 's|^Exec="[^"]*"|Exec=zenith-desk|' -e 's|^Icon=.*|Icon=${DESKTOP_ID}|' usr/share/applications/${DESKTOP_ID}.desktop
      - mv usr/share/mime/packages/zenith-desk.xml usr/share/mime/packages/${DESKTOP_ID}.xml
      - for icon in usr/share/icons/hicolor/*/apps/zenith-desk.png; do mv "$icon" "\${icon%/*}/${DESKTOP_ID}.png"; done
      - cp -r usr/share/. /app/share/ && rm -rf /app/share/doc
    sources:
      - type: script
        dest-filename: start.sh
        commands: ['exec zypak-wrapper.sh /app/zenith-desk/zenith-desk "$@"']
${debSource("x86_64", find("linux-amd64.deb"))}${debSource("aarch64", find("linux-arm64.deb"))}`;
}

/**
 * The release feed: the version and its notes from the changelog.
 *
 * @throws Error if the changelog has no section of the version
 */
export function releaseFeed(changelog: string, version: string, date: string): string {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((text) => text.startsWith(version) && !/^[\d.]/.test(text.slice(version.length)));
  if (section === undefined) throw new Error(`The changelog has no section “${version}”.`);
  const notes = [...section.matchAll(/^- (.+(?:\n {2}.+)*)/gm)].map(([, item = ""]) => plainText(item));
  return `${JSON.stringify({ version, date, notes }, null, 2)}\n`;
}

/** Removes Markdown syntax. */
function plainText(markdown: string): string {
  return markdown
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1")
    .replaceAll(/\*\*|`/g, "")
    .replaceAll(/\s+/g, " ");
}

if (import.meta.main) {
  const [folder = "", address = ""] = process.argv.slice(2);
  const installers = readdirSync(folder).map((name) => {
    const sha256 = createHash("sha256")
      .update(readFileSync(join(folder, name)))
      .digest("hex");
    return { name, url: `${address}/${name}`, sha256 };
  });
  for (const [name, text] of manifests(installers, VERSION)) writeFileSync(join(folder, name), text);
  const changelog = readFileSync(join(import.meta.dirname, "..", "CHANGELOG.md"), "utf8");
  writeFileSync(join(folder, FEED_FILE), releaseFeed(changelog, VERSION, new Date().toISOString().slice(0, 10)));
}
