import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lockFile, lockFolder, StoreError } from "#main/store/index.ts";
import { temporaryFolders } from "../support/folder.ts";

const newFolder = temporaryFolders();

describe("the lock of a data folder", () => {
  it("is held by one process at a time", () => {
    const folder = newFolder();
    const release = lockFolder(folder);
    expect(() => lockFolder(folder)).toThrow(StoreError);
    expect(() => lockFolder(folder)).toThrow(`open already on ${folder} (process ${process.pid})`);
    release();
    lockFolder(folder)();
  });

  it("ends when its process is killed", async () => {
    const folder = newFolder();
    const holder = spawn(process.execPath, [join(import.meta.dirname, "lockHolder.ts"), folder], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(holder.stdout, "data");
    expect(() => lockFolder(folder)).toThrow(`process ${holder.pid}`);
    holder.kill("SIGKILL");
    await once(holder, "exit");
    lockFolder(folder)();
  });
});

describe("the lock of a file that is in use", () => {
  it("creates no file for an exclusive lock that a kill would leave on the disk", () => {
    const folder = newFolder();
    const release = lockFile(join(folder, "a.db"), "move it");
    expect(readdirSync(folder)).toEqual(["a.db-lock"]);
    release();
    lockFolder(folder);
    expect(readdirSync(folder).toSorted()).toEqual(["a.db-lock", "open.lock", "open.pid"]);
  });

  it("tells what else it may be if no program is known that has the file open", () => {
    const folder = newFolder();
    const path = join(folder, "a.db");
    const release = lockFile(path, "move it");
    expect(() => lockFile(path, "move it")).toThrow("the disk cannot lock files: use a data folder on a local disk");
    expect(() => lockFile(path, "move it", { others: () => ["the window (process 1)"] })).toThrow(
      /The window .* then try again\.$/,
    );
    release();
  });
});
