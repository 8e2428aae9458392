import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { lockFolder, StoreError } from "../../src/main/store/index.ts";

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
