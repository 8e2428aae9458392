import { spawnSync } from "node:child_process";
import { scratchFolder } from "../support/folder.ts";
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { releaseProblems } from "../../scripts/release.ts";
import { programMissing, itUnless } from "../support/needs.ts";
import { builtApp } from "../support/build.ts";

const root = join(import.meta.dirname, "..", "..");

describe("a tag", () => {
  const identity = {
    version: "1.2.3",
    releases: "https://example.org/zenith",
    homepage: "https://example.org/",
    author: { name: "Maintainers", email: "maintainers@example.org" },
  };
  const changelog = "# Changes\n\n## Unreleased\n\n## 1.2.3\n\n- New.\n";

  it("can become a release if nothing contradicts it", () => {
    expect(releaseProblems("v1.2.3", identity, changelog)).toEqual([]);
  });

  it.each([
    ["the tag", "v1.2.4", identity, changelog, "tag v1.2.3"],
    ["the changelog", "v1.2.3", identity, "## 1.2.30\n\n- New.\n", "no section “## 1.2.3”"],
    ["an empty section", "v1.2.3", identity, "## 1.2.3\n\n## 1.2.2\n\n- Old.\n", "no section “## 1.2.3”"],
    ["unreleased changes", "v1.2.3", identity, `## Unreleased\n\n- Later.\n\n${changelog}`, "“Unreleased”"],
    [
      "a version for trials",
      "v1.2.3-rc.1",
      { ...identity, version: "1.2.3-rc.1" },
      "## 1.2.3-rc.1\n\n- New.\n",
      "three",
    ],
    ["a placeholder", "v1.2.3", { ...identity, releases: "https://zenith-desk.invalid/r" }, changelog, "“releases”"],
    ["an unsafe address", "v1.2.3", { ...identity, homepage: "http://example.org/" }, changelog, "“homepage”"],
    ["no mail", "v1.2.3", { ...identity, author: { name: "x", email: "x@y.invalid" } }, changelog, "“author.email”"],
  ])("is refused with a sentence because of %s", (_, tag, of, text, sentence) => {
    expect(releaseProblems(tag, of, text)).toEqual([expect.stringContaining(sentence)]);
  });

  it("of the repository is refused while its addresses are placeholders", () => {
    const text = readFileSync(join(root, "CHANGELOG.md"), "utf8");
    expect(releaseProblems(`v${packageJson.version}`, packageJson, text).join("\n")).toContain("placeholder");
  });
});

it("scripts of the draft run with Node alone, without packages", () => {
  const clone = scratchFolder();
  for (const path of "scripts/manifests.ts scripts/metainfo.ts scripts/release.ts src/main/program.ts package.json".split(
    " ",
  ))
    cpSync(join(root, path), join(clone, path));
  writeFileSync(join(clone, "CHANGELOG.md"), `## ${packageJson.version}\n\n- New.\n`);
  mkdirSync(join(clone, "installers"));
  const endings = "win-x64.exe win-arm64.exe mac-x64.dmg mac-arm64.dmg linux-amd64.deb linux-arm64.deb".split(" ");
  for (const ending of endings)
    writeFileSync(join(clone, "installers", `zenith-desk-${packageJson.version}-${ending}`), ending);
  const node = (script: string, ...args: string[]) =>
    spawnSync(process.execPath, [join(clone, "scripts", script), ...args], { cwd: clone, encoding: "utf8" });
  expect(node("manifests.ts", "installers", "https://example.org/v")).toMatchObject({ status: 0, stderr: "" });
  expect(readdirSync(join(clone, "installers"))).toContain("latest.json");
  expect(node("release.ts", "v0.0.0")).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("The tag is v0.0.0"),
  });
});

it("bundles have the address of releases in package.json", () => {
  const { main } = builtApp();
  const scripts = readdirSync(main).filter((name) => name.endsWith(".js"));
  expect(scripts.some((name) => readFileSync(join(main, name), "utf8").includes(packageJson.releases))).toBe(true);
});

itUnless(programMissing("actionlint"), "the workflows are accepted by actionlint", () => {
  const done = spawnSync("actionlint", [], { cwd: root, encoding: "utf8" });
  expect(done).toMatchObject({ status: 0, stdout: "" });
});
