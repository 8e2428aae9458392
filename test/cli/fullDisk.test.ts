import { closeSync, mkdirSync, openSync, readdirSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { codeOf } from "#shared/thrown.ts";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type RunningService, startService } from "../../src/service/index.ts";
import { mountReadOnly, mountSmallDisk } from "./mounts.ts";
import { type Home, makeHome } from "./program.ts";

const DAY = ["--day", "2026-10-05"];
const KEY = { ZENITH_API_KEY: "demo-key" };

/** Fills the disk of a file to its last block. */
function fillDisk(file: string): void {
  const filler = openSync(file, "a");
  try {
    for (let bytes = 65_536; bytes >= 1; bytes = Math.floor(bytes / 2)) {
      const block = Buffer.alloc(bytes);
      try {
        while (writeSync(filler, block) === bytes);
      } catch (thrown) {
        if (codeOf(thrown) !== "ENOSPC") throw thrown;
      }
    }
  } finally {
    closeSync(filler);
  }
}

describe.skipIf(process.platform === "win32")("a data folder", () => {
  let service: RunningService;
  let home: Home;
  let folder: string;
  let unmount: (() => void) | null;

  beforeAll(async () => {
    service = await startService();
    home = makeHome();
    folder = join(home.folder, "home");
    mkdirSync(folder);
    unmount = mountSmallDisk(folder, "8m");
    if (unmount === null) return;
    await home.json(["connect", service.url, "--name", "trial"], 0, { env: KEY });
    await home.json(["fetch", "Torsvika", ...DAY]);
  });
  beforeEach((context) => {
    if (unmount === null) context.skip("this system does not let the tests mount a small disk");
  });
  afterAll(async () => {
    await service.close();
    unmount?.();
    home.remove();
  });

  it("on a full or read-only disk lists its backups", async () => {
    const listed = await home.json<{ backups: readonly object[] }>(["restore"]);
    expect(listed.backups[0]).toMatchObject({ connection_names: ["trial"] });
    fillDisk(join(folder, "filler"));
    const before = readdirSync(folder);
    expect(await home.json(["restore"])).toEqual(listed);
    expect(readdirSync(folder)).toEqual(before);
    expect(await home.run(["restore", "newest"])).toMatchObject({
      code: 6,
      stderr: expect.stringContaining("The disk is full"),
    });
    expect(readdirSync(folder).filter((name) => name.includes("unfinished"))).toEqual([]);
    rmSync(join(folder, "filler"));
    const writable = mountReadOnly(folder)!;
    try {
      expect(await home.json(["restore"])).toEqual(listed);
      expect(await home.run(["restore", "newest"])).toMatchObject({
        code: 6,
        stderr: expect.stringMatching(/may not be written/),
      });
    } finally {
      writable();
    }
  });

  it("with backups that cannot be read says so, with the reason", async () => {
    const other = join(home.folder, "other");
    mkdirSync(other);
    writeFileSync(join(other, "user.db.backup"), "junk".repeat(5_000));
    for (const words of [["restore"], ["restore", "newest"]])
      expect(await home.run([...words, "--data-folder", other])).toMatchObject({
        code: 6,
        stderr: expect.stringMatching(/user\.db\.backup: The file is damaged[^]*No backup can be read/),
      });
  });
});
