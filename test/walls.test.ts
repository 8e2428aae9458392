import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { LINT, tool } from "../scripts/tools.ts";

// Each entry is a file and an import, or a use of a global, that the linter must reject there.
const rejected: [file: string, code: string][] = [
  ["src/shared/time/a.ts", 'import "#main/app.ts";'],
  ["src/shared/time/a.ts", 'import "../../main/app.ts";'],
  ["src/shared/time/a.ts", 'import "node:fs";'],
  ["src/shared/time/a.ts", 'fetch("x");'],
  ["src/formats/csv/a.ts", 'import "#main/app.ts";'],
  ["src/service/a.ts", 'import "#main/app.ts";'],
  ["src/service/a.ts", 'import "better-sqlite3";'],
  ["src/main/app/a.ts", 'import "#formats/netcdf/satellites/write.ts";'],
  ["src/main/demo/a.ts", 'import "#service/world/index.ts";'],
  ["src/main/app.ts", 'import "../service/index.ts";'],
  ["src/main/app.ts", 'import "electron";'],
  ["src/main/app.ts", 'import "better-sqlite3";'],
  ["src/main/app.ts", 'import "undici";'],
  ["src/main/sync/a.ts", 'import "node:http";'],
  ["src/main/planner/a.ts", 'import "../store/index.ts";'],
  ["src/main/analysis/a.ts", 'import "../store/index.ts";'],
  ["src/main/store/a.ts", 'import "node:https";'],
  ["src/main/store/thread/a.ts", 'import "../../../cli/index.ts";'],
  ["src/main/log/a.ts", 'import "../store/index.ts";'],
  ["src/main/client/a.ts", 'import "../planner/limits.ts";'],
  ["src/main/sync/a.ts", 'import "../app/events.ts";'],
  ["src/main/export/a.ts", 'import "../app/events.ts";'],
  ["src/main/app/a.ts", 'import "../bridge/core.ts";'],
  ["src/main/app/a.ts", 'import "../store/database/database.ts";'],
  ["src/main/app/reading/a.ts", 'import "../../store/chunks/rows.ts";'],
  ["src/main/dataFolder.ts", 'import "./store/database/database.ts";'],
  ["src/main/sync/a.ts", 'import "#main/client/http/transport.ts";'],
  ["src/main/bridge/a.ts", 'import "../supervisor/supervisor.ts";'],
  ["src/main/supervisor/a.ts", 'import "../sync/job.ts";'],
  ["src/main/cli/a.ts", 'import "#service/index.ts";'],
  ["src/preload/a.ts", 'import "#main/app.ts";'],
  ["src/renderer/a.ts", 'import "#main/app.ts";'],
  ["src/renderer/a.ts", 'import "node:fs";'],
];

// Imports that must remain possible, so that a rule that rejects everything does not pass.
const allowed: [file: string, code: string][] = [
  ["src/shared/time/b.ts", 'import "../service/variables.ts";'],
  ["src/main/store/b.ts", 'import "better-sqlite3";'],
  ["src/main/client/b.ts", 'import "undici";'],
  ["src/main/sync/b.ts", 'import "../store/index.ts";'],
  ["src/main/store/b.ts", 'import "./database/database.ts";'],
  ["src/main/cli/b.ts", 'import "../store/errors.ts";'],
  ["src/main/cli/commands/b.ts", 'import "../export/exporting.ts";'],
  ["src/main/bridge/b.ts", 'import "../app/events.ts";'],
  ["src/main/demo/b.ts", 'import "#service/index.ts";'],
  ["src/main/electron/b.ts", 'import "electron";'],
  ["src/service/b.ts", 'import "#formats/csv/index.ts";'],
  ["src/main/app/b.ts", 'import "#formats/csv/index.ts";'],
  ["src/preload/b.ts", 'import "electron";'],
];

// Rules outside the default set of the linter, or with type information: each must report its example.
const faulty: [rule: string, file: string, code: string][] = [
  // These two become a0.ts and a1.ts.
  ["no-cycle", "src/main/app/a.ts", 'import type { B } from "./a1.ts";\nexport type A = B | 1;'],
  ["no-cycle", "src/main/app/a.ts", 'import type { A } from "./a0.ts";\nexport type B = A | 2;'],
  ["no-floating-promises", "src/main/app/a.ts", "async function send(): Promise<void> {}\nsend();"],
  ["no-misused-promises", "src/main/app/a.ts", "[1].forEach(async () => {});"],
  ["await-thenable", "src/main/app/a.ts", "await 1;"],
  [
    "rules-of-hooks",
    "src/renderer/A.tsx",
    'import { useState } from "react";\nexport function A({ on }: { on: boolean }) {\n  if (on) useState(1);\n  return null;\n}',
  ],
  [
    "exhaustive-deps",
    "src/renderer/A.tsx",
    'import { useEffect } from "react";\nexport function A({ on }: { on: boolean }) {\n  useEffect(() => console.log(on), []);\n  return null;\n}',
  ],
  ["alt-text", "src/renderer/A.tsx", 'export const A = () => <img src="a.png" />;'],
  ["Unused oxlint-disable directive", "src/main/app/a.ts", "// oxlint-disable-next-line eqeqeq\nexport {};"],
  // Types: the core has no DOM, the page has no Node types, and tests have both.
  ["TS2322", "src/main/app/a.ts", 'export const a: number = "x";'],
  ["TS2584", "src/main/app/a.ts", "export const a = document.title;"],
  ["TS2322", "src/renderer/a.ts", "export const a: string = [location.href][0];"],
  ["TS2591", "src/renderer/a.ts", "export const a = process.pid;"],
  ["TS2322", "test/a.ts", "export const a: string = [document.title, process.title][0];"],
  ["TS6133", "scripts/a.ts", "const a = 1;"],
];

const ROOT = join(import.meta.dirname, "..");

/**
 * Returns the diagnostics of each file. One run checks all files, because starting the linter takes most of the time.
 */
function lint(cases: readonly { readonly file: string; readonly code: string }[]): string[] {
  const root = mkdtempSync(join(tmpdir(), "zenith-walls-"));
  try {
    const projects = ["tsconfig.json", "src/renderer/tsconfig.json", "test/tsconfig.json"];
    for (const file of ["oxlint.config.ts", "scripts/walls.ts", ...projects])
      cpSync(join(ROOT, file), join(root, file));
    symlinkSync(join(ROOT, "node_modules"), join(root, "node_modules"), "junction");
    const names = cases.map(({ file, code }, i) => {
      const name = file.replace(/(\w+)\.(tsx?)$/, `$1${i}.$2`);
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), `${code}\n`);
      return name;
    });
    const args = [tool("oxlint"), ...LINT, "--format=json", "src", "test", "scripts"];
    const done = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
    const report = JSON.parse(done.stdout) as {
      diagnostics: { code?: string; message: string; filename: string }[];
    };
    return names.map((name) =>
      report.diagnostics
        .filter(({ filename }) => relative(".", filename) === name)
        .map(({ code, message }) => `${code ?? ""} ${message}`)
        .join("\n"),
    );
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

describe("import walls", () => {
  let diagnostics: string[] = [];
  beforeAll(() => {
    diagnostics = lint([...rejected, ...allowed].map(([file, code]) => ({ file, code })));
  });

  it.each(rejected.map(([file, code], i) => ({ file, code, i })))("rejects in $file: $code", ({ i }) => {
    expect(diagnostics[i]).toContain("no-restricted");
  });

  it.each(allowed.map(([file, code], i) => ({ file, code, i })))("allows in $file: $code", ({ i }) => {
    expect(diagnostics[rejected.length + i]).not.toContain("no-restricted");
  });
});

describe("lint rules", () => {
  let diagnostics: string[] = [];
  beforeAll(() => {
    diagnostics = lint(faulty.map(([, file, code]) => ({ file, code })));
  });

  it.each(faulty.map(([rule], i) => ({ rule, i })))("$rule is enabled", ({ rule, i }) => {
    expect(diagnostics[i]).toContain(rule);
  });
});
