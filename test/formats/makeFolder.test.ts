import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { itUnless } from "../support/needs.ts";
import { makeFolder } from "#formats/makeFolder.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "zenith-folder-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("creates missing parents with the same permissions, and leaves existing folders as they are", () => {
  const path = join(folder, "a", "b", "c");
  makeFolder(path, 0o700);
  makeFolder(path, 0o755);
  if (process.platform !== "win32")
    expect(["a", "a/b", "a/b/c"].map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual([
      0o700, 0o700, 0o700,
    ]);
  expect(statSync(path).isDirectory()).toBe(true);
});

it("fails below a file, and for a link to nothing", () => {
  writeFileSync(join(folder, "file"), "");
  expect(() => makeFolder(join(folder, "file"))).toThrow("EEXIST");
  expect(() => makeFolder(join(folder, "file", "a"))).toThrow(/EEXIST|ENOTDIR/);
  if (process.platform === "win32") return;
  symlinkSync(join(folder, "nothing"), join(folder, "link"));
  expect(() => makeFolder(join(folder, "link"))).toThrow("EEXIST");
  expect(existsSync(join(folder, "nothing"))).toBe(false);
});

const NO_PROC = existsSync("/proc/self") ? null : "this system has no /proc";
itUnless(NO_PROC, "fails in a folder that cannot contain others", () => {
  expect(() => makeFolder("/proc/no/folder")).toThrow("ENOENT");
});
