import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type Installer, manifests, releaseFeed } from "../../scripts/manifests.ts";

const NAMES = ["win-x64.exe", "win-arm64.exe", "mac-x64.dmg", "mac-arm64.dmg", "linux-amd64.deb", "linux-arm64.deb"];
const installers: Installer[] = NAMES.map((ending, index) => ({
  name: `zenith-desk-1.2.3-${ending}`,
  url: `https://example.org/${ending}`,
  sha256: `${index}a`.repeat(32),
}));

it("manifests have every installer with its checksum and address", () => {
  const all = [...manifests(installers, "1.2.3").values()].join("\n").toLowerCase();
  for (const { url, sha256 } of installers) expect(all.split(url)[1]?.slice(0, 120)).toContain(sha256);
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

it("the Flatpak id equals the desktop name of the windows", () => {
  const root = join(import.meta.dirname, "..", "..");
  const { desktopName } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { desktopName: string };
  const [id = ""] = [...manifests(installers, "1.2.3").keys()].filter((name) => name.endsWith(".yml"));
  expect(`${id.slice(0, -".yml".length)}.desktop`).toBe(desktopName);
});
