import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, it } from "vitest";
import { itUnless, programMissing } from "../support/needs.ts";
import { type Installer, manifests, releaseFeed } from "../../scripts/manifests.ts";

const { load } = createRequire(import.meta.url)("js-yaml") as { load(text: string): unknown };

const NAMES = ["win-x64.exe", "win-arm64.exe", "mac-x64.dmg", "mac-arm64.dmg", "linux-amd64.deb", "linux-arm64.deb"];
const installers: Installer[] = NAMES.map((ending, index) => ({
  name: `zenith-desk-1.2.3-${ending}`,
  url: `https://example.org/1.2.3/zenith-desk-1.2.3-${ending}`,
  sha256: `${index}a`.repeat(32),
}));

it("manifests have every installer with its checksum and address", () => {
  const all = [...manifests(installers, "1.2.3").values()].join("\n").toLowerCase();
  // The cask has the architecture as a variable in its address.
  for (const each of installers.filter(({ name }) => !name.endsWith(".dmg")))
    expect(all.split(each.url)[1]?.slice(0, 120)).toContain(each.sha256);
  for (const { sha256 } of installers) expect(all).toContain(sha256);
  expect(all.match(/1\.2\.3/g)?.length).toBeGreaterThan(1);
});

it("manifests require all installers", () => {
  for (const missing of installers)
    expect(() =>
      manifests(
        installers.filter((each) => each !== missing),
        "1.2.3",
      ),
    ).toThrow(missing.name);
});

it("the release feed has the changes of the version as plain text", () => {
  const changelog =
    "# Changes\n\n## Unreleased\n\n- Later.\n\n## 1.2.3\n\n- `zenith version`, see\n  [the guide](guide.md).\n- **Fast**.\n\n## 1.2.30\n\n- Other.\n";
  const feed = JSON.parse(releaseFeed(changelog, "1.2.3", "2026-12-01")) as object;
  expect(feed).toEqual({ version: "1.2.3", date: "2026-12-01", notes: ["zenith version, see the guide.", "Fast."] });
  expect(() => releaseFeed(changelog, "1.2", "2026-12-01")).toThrow("no section");
});

it("manifests of winget describe both installers for a user and for all", () => {
  const files = [...manifests(installers, "1.2.3")].filter(([name]) => name.startsWith("ZenithDesk."));
  const parsed = files.map(([, text]) => load(text) as Record<string, unknown>);
  expect(parsed.map((manifest) => manifest["ManifestType"])).toEqual(["version", "installer", "defaultLocale"]);
  for (const manifest of parsed)
    expect(manifest).toMatchObject({ PackageIdentifier: "ZenithDesk.ZenithDesk", PackageVersion: "1.2.3" });
  const described = ((parsed[1]?.["Installers"] ?? []) as Record<string, unknown>[]).map((i) => [
    i["Architecture"],
    i["Scope"],
  ]);
  expect(described).toEqual([
    ["x64", "user"],
    ["x64", "machine"],
    ["arm64", "user"],
    ["arm64", "machine"],
  ]);
});

it("the cask names each installer once, and links no name of another formula", () => {
  const cask = manifests(installers, "1.2.3").get("zenith-desk.rb") ?? "";
  expect(cask).toContain('binary "#{appdir}/Zenith Desk.app/Contents/Resources/bin/zenith", target: "zenith-desk"');
  expect(cask).toContain("depends_on macos:");
});

itUnless(programMissing("ruby"), "the cask is valid Ruby", () => {
  const cask = manifests(installers, "1.2.3").get("zenith-desk.rb") ?? "";
  const judged = [cask, `${cask}end`].map((input) => spawnSync("ruby", ["-c"], { input, encoding: "utf8" }).status);
  expect(judged).toEqual([0, 1]);
});

it("the Flatpak id equals the desktop name of the windows", () => {
  const root = join(import.meta.dirname, "..", "..");
  const { desktopName } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { desktopName: string };
  const [id = ""] = [...manifests(installers, "1.2.3").keys()].filter((name) => name.endsWith(".yml"));
  expect(`${id.slice(0, -".yml".length)}.desktop`).toBe(desktopName);
});
