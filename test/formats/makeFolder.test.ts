import { existsSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { scratchFolder } from "../support/folder.ts";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { itUnless } from "../support/needs.ts";
import { makeFolder } from "#formats/makeFolder.ts";

let folder: string;
beforeEach(() => void (folder = scratchFolder()));
it("creates missing parents with the same permissions, and leaves existing folders as they are", () => {
  const path = join(folder, "a", "b", "c");
  makeFolder(path, 0o700);
  makeFolder(path, 0o755);
  const modes = ["a", "a/b", "a/b/c"].map((name) => statSync(join(folder, name)).mode & 0o777);
  // Windows knows no other permissions of a folder.
  const mode = process.platform === "win32" ? 0o666 : 0o700;
  expect(modes).toEqual([mode, mode, mode]);
});

it("fails below a file, and for a link to nothing", () => {
  writeFileSync(join(folder, "file"), "");
  expect(() => makeFolder(join(folder, "file"))).toThrow("EEXIST");
  expect(() => makeFolder(join(folder, "file", "a", "b"))).toThrow(/ENOTDIR|ENOENT/);
  symlinkSync(join(folder, "nothing"), join(folder, "link"), "junction");
  expect(() => makeFolder(join(folder, "link"))).toThrow("EEXIST");
  expect(existsSync(join(folder, "nothing"))).toBe(false);
});

const NO_PROC = existsSync("/proc/self") ? null : "this system has no /proc";
itUnless(NO_PROC, "fails in a folder that cannot contain others", () => {
  expect(() => makeFolder("/proc/no/folder")).toThrow("ENOENT");
});
