import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tool } from "../scripts/tools.ts";

// Each line is a wall of the house: a file, and an import (or a use) that must be refused there.
const refused: [file: string, code: string][] = [
  ["src/shared/time/a.ts", 'import "#main/app.ts";'],
  ["src/shared/time/a.ts", 'import "../../main/app.ts";'],
  ["src/shared/time/a.ts", 'import "../../service/index.ts";'],
  ["src/shared/time/a.ts", 'import "node:fs";'],
  ["src/shared/time/a.ts", 'fetch("x");'],
  ["src/formats/csv/a.ts", 'import "#main/app.ts";'],
  ["src/formats/csv/a.ts", 'import "#service/index.ts";'],
  ["src/service/a.ts", 'import "#main/app.ts";'],
  ["src/service/a.ts", 'import "../main/app.ts";'],
  ["src/service/a.ts", 'import "better-sqlite3";'],
  ["src/main/app.ts", 'import "#service/index.ts";'],
  ["src/main/app.ts", 'import "../service/index.ts";'],
  ["src/main/app.ts", 'import "electron";'],
  ["src/main/app.ts", 'import "better-sqlite3";'],
  ["src/main/app.ts", 'import "undici";'],
  ["src/main/sync/a.ts", 'import "node:http";'],
  ["src/main/sync/a.ts", 'fetch("x");'],
  ["src/main/sync/a.ts", 'import "../cli/index.ts";'],
  ["src/main/planner/a.ts", 'import "../store/index.ts";'],
  ["src/main/planner/a.ts", 'import "#main/client/index.ts";'],
  ["src/main/planner/a.ts", 'import "node:fs";'],
  ["src/main/analysis/a.ts", 'import "../store/index.ts";'],
  ["src/main/analysis/a.ts", 'import "#formats/csv/index.ts";'],
  ["src/main/store/a.ts", 'import "node:https";'],
  ["src/main/client/a.ts", 'import "better-sqlite3";'],
  ["src/main/cli/a.ts", 'import "#service/index.ts";'],
  ["src/preload/a.ts", 'import "#main/app.ts";'],
  ["src/renderer/a.ts", 'import "#main/app.ts";'],
  ["src/renderer/a.ts", 'import "node:fs";'],
  ["src/renderer/a.ts", 'import "electron";'],
];

// And what must stay possible, so that a rule that refuses everything is not taken for a wall.
const allowed: [file: string, code: string][] = [
  ["src/shared/time/b.ts", 'import "../service/variables.ts";'],
  ["src/main/store/b.ts", 'import "better-sqlite3";'],
  ["src/main/store/b.ts", 'import "#shared/time/range.ts";'],
  ["src/main/client/b.ts", 'import "undici";'],
  ["src/main/sync/b.ts", 'import "../store/index.ts";'],
  ["src/main/demo/b.ts", 'import "#service/index.ts";'],
  ["src/main/electron/b.ts", 'import "electron";'],
  ["src/service/b.ts", 'import "node:http";'],
  ["src/service/b.ts", 'import "#formats/csv/index.ts";'],
  ["src/preload/b.ts", 'import "electron";'],
];

describe("import walls", () => {
  let root = "";
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), "zenith-walls-"));
    cpSync(join(import.meta.dirname, "..", ".oxlintrc.json"), join(root, ".oxlintrc.json"));
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  function lint(file: string, code: string): string {
    const path = join(root, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${code}\n`);
    const done = spawnSync(process.execPath, [tool("oxlint"), "--format=json", file], { cwd: root, encoding: "utf8" });
    rmSync(path);
    const report = JSON.parse(done.stdout) as { diagnostics: { code: string }[] };
    return report.diagnostics
      .map((d) => d.code)
      .filter((c) => c.includes("no-restricted"))
      .join(" ");
  }

  it.each(refused)("refuses in %s: %s", (file, code) => {
    expect(lint(file, code)).toContain("no-restricted");
  });

  it.each(allowed)("allows in %s: %s", (file, code) => {
    expect(lint(file, code)).toBe("");
  });
});
