import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { lockNames } from "#formats/fileLock.ts";
import { ownerMark } from "#formats/leftovers.ts";
import { scratchFolder } from "../support/folder.ts";

const folder = scratchFolder();

it("a lock that cannot be deleted fails no export, and this process takes it again", async () => {
  const first = await lockNames([join(folder, "a.csv")]);
  const [name] = readdirSync(folder);
  // A folder cannot be deleted like a file.
  rmSync(join(folder, name!));
  mkdirSync(join(folder, name!));
  expect(() => first[Symbol.dispose]()).not.toThrow();
  (await lockNames([join(folder, "a.csv")]))[Symbol.dispose]();
  rmSync(join(folder, name!), { recursive: true });
  writeFileSync(join(folder, name!), ownerMark());
  (await lockNames([join(folder, "a.csv")]))[Symbol.dispose]();
  expect(readdirSync(folder)).toEqual([]);
});
