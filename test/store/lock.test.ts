import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { holdAlone, lockFolder, StoreError } from "../../src/main/store/index.ts";

describe("the lock of a data folder", () => {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "zenith-lock-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("lets one in at a time, and the next after it", () => {
    const first = lockFolder(folder);
    expect(() => lockFolder(folder)).toThrow(StoreError);
    expect(() => lockFolder(folder)).toThrow(`open already on ${folder} (process ${process.pid})`);
    first.release();
    lockFolder(folder).release();
  });

  it("is no more when its process was killed", async () => {
    const holder = spawn(process.execPath, [join(import.meta.dirname, "lockHolder.ts"), folder], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(holder.stdout, "data");
    expect(() => lockFolder(folder)).toThrow(`process ${holder.pid}`);
    holder.kill("SIGKILL");
    await once(holder, "exit");
    lockFolder(folder).release();
  });
});

describe("the lock of a file that is in use", () => {
  it("held alone, makes nothing that a kill would leave on the disk", () => {
    const folder = mkdtempSync(join(tmpdir(), "zenith-lock-"));
    const release = holdAlone(join(folder, "a.db"), "move it");
    expect(readdirSync(folder)).toEqual(["a.db-lock"]);
    release();
    lockFolder(folder);
    expect(readdirSync(folder).toSorted()).toEqual(["a.db-lock", "open.lock", "open.pid"]);
    rmSync(folder, { recursive: true });
  });
});
