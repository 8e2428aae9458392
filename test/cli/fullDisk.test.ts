import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { codeOf } from "#shared/fault.ts";
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from "vitest";
import { openService } from "../support/openService.ts";
import { lockFile, openUserStore } from "#main/store/index.ts";
import { valueOf } from "../bridge/cases/case.ts";
import { mountReadOnly, mountSmallDisk } from "./mounts.ts";
import { makeHome } from "./program.ts";
import { gateShare } from "../support/endurance.ts";
import { describeUnless, WINDOWS_LACKS } from "../support/needs.ts";
import { pageBridge, webShell } from "../web/page.ts";

const DAY = ["--day", "2026-10-05"];
const KEY = { ZENITH_API_KEY: "demo-key" };
const VIEW = { id: "v", value: { name: "v" } };

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

/** Without the indices and empty logs that SQLite leaves where it cannot fill them. */
function filesIn(folder: string): string[] {
  return readdirSync(folder).filter(
    (name) => !name.endsWith("-shm") && (!name.endsWith("-wal") || statSync(join(folder, name)).size > 0),
  );
}

const service = await openService();

describeUnless(WINDOWS_LACKS, "a data folder", () => {
  const home = makeHome();
  const folder = join(home.folder, "home");
  let unmount: (() => void) | null;

  beforeAll(async () => {
    mkdirSync(folder);
    unmount = mountSmallDisk(folder, "8m");
    if (unmount === null) return;
    await home.json(["connect", service.url, "--name", "trial"], 0, { env: KEY });
    await home.json(["fetch", "Torsvika", ...DAY]);
    await home.json(["schedule", "add", "Morning", "Torsvika", "--daily", "06:30"]);
  });
  beforeEach((context) => {
    if (unmount === null) context.skip("this system does not let the tests mount a small disk");
  });
  afterAll(() => unmount?.());

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

  it("on a full disk can be read and exported; only commands that write fail, with advice", async () => {
    const day = ["Torsvika", ...DAY];
    expect(await home.run(["export", ...day, "--out", "before.csv"])).toMatchObject({ code: 0 });
    const { path } = await home.json<{ path: string }>(["cache", "path"]);
    const quarantined = `${path}.damaged-2026-10-01T00-00-00-000Z`;
    writeFileSync(quarantined, Buffer.alloc(1_500_000));
    fillDisk(join(folder, "filler"));
    const before = filesIn(folder);
    const env = { ...KEY, TMPDIR: join(home.folder, "tmp") };
    mkdirSync(env.TMPDIR);
    const warning = `The disk of ${folder} is full. Cached data can be viewed and exported; nothing can be`;
    for (const words of [
      ...gateShare([
        ["connect"],
        ["jobs"],
        ["stations"],
        ["gaps", ...day],
        ["cache"],
        ["cache", "check"],
        ["schedule"],
        ["schedule", "history", "Morning"],
      ]),
      ["export", ...day, "--out", "after.csv"],
    ])
      expect([words, await home.run(words, { env })]).toMatchObject([
        words,
        { code: 0, stderr: expect.stringContaining(warning) },
      ]);
    expect(readFileSync(join(home.folder, "after.csv"))).toEqual(readFileSync(join(home.folder, "before.csv")));
    expect(await home.json(["cache", "path"], 0, { env })).toMatchObject({ path });
    service.resetStats();
    for (const words of gateShare([
      ["fetch", "Torsvika", "--day", "2026-10-06"],
      ["cache", "pin", "Torsvika"],
      ["cache", "forget", "--stations", "Torsvika"],
      ["cache", "compact"],
      ["cache", "repair"],
      ["cache", "move", "moved.db"],
      ["cache", "quarantine", "adopt"],
      ["group", "add", "Two", "Torsvika"],
      ["schedule", "add", "Evening", "Torsvika", "--daily", "18:30"],
      ["schedule", "pause", "Morning"],
      ["schedule", "remove", "Morning"],
      ["schedule", "run", "Morning"],
    ]))
      expect([words, await home.run(words, { env })]).toMatchObject([
        words,
        {
          code: 6,
          stderr: expect.stringMatching(/: The disk of .* is full\. .*Free at least 1 MB on it, then start again\.$/m),
        },
      ]);
    expect(service.stats.requests).toBe(0);
    expect(filesIn(folder)).toEqual(before);
    expect(readdirSync(env.TMPDIR)).toEqual([]);
    expect(await home.run(["cache", "quarantine", "delete", "--all"], { env })).toMatchObject({ code: 0 });
    // The deleted file left room for the logs.
    expect(await home.run(["cache", "pin", "Torsvika"])).toMatchObject({ code: 0, stderr: "" });
    rmSync(join(folder, "filler"));
  });

  it("on a full disk is read in place while another program has it open", async () => {
    fillDisk(join(folder, "filler"));
    const reading = openUserStore(join(folder, "user.db"));
    expect(reading.connections()).toMatchObject([{ name: "trial" }]);
    expect(() => reading.changeNamed("view", { put: [VIEW] })).toThrow("is full");
    rmSync(join(folder, "filler"));
    const users = openUserStore(join(folder, "user.db"));
    // What a reader without locks saw before a writer came proves nothing.
    users.changeNamed("view", { put: [VIEW] });
    expect(() => reading.named("view")).toThrow("has changed this file while it was read");
    reading.close();
    try {
      fillDisk(join(folder, "filler"));
      const ended = await home.run(["jobs"]);
      expect(ended).toMatchObject({ code: 0, stderr: "" });
      expect(ended.stdout).toContain("trial");
    } finally {
      users.close();
      rmSync(join(folder, "filler"));
    }
  });

  it("on a full disk is never shown as empty, also while another program copies the cache", async () => {
    const { path, rows } = await home.json<{ path: string; rows: number }>(["cache"]);
    fillDisk(join(folder, "filler"));
    const release = lockFile(path, "copy it");
    try {
      expect(await home.run(["cache"], { asProcess: true })).toMatchObject({
        code: 6,
        stdout: "",
        stderr: expect.stringContaining(`${path}: Another program is keeping this file for itself`),
      });
    } finally {
      release();
    }
    const both = await Promise.all([1, 2].map(() => home.json(["cache"], 0, { asProcess: true })));
    expect(both).toMatchObject([
      { path, rows },
      { path, rows },
    ]);
    rmSync(join(folder, "filler"));
  });

  it("on a full disk is shown in a window", async () => {
    fillDisk(join(folder, "filler"));
    onTestFinished(() => rmSync(join(folder, "filler")));
    const test = await webShell({ dataFolder: folder });
    const bridge = pageBridge(test, await test.secret());
    const [connection] = valueOf(await bridge.connections.list({}));
    valueOf(await bridge.connections.open({ connectionId: connection!.id }));
    const { path } = valueOf(await bridge.cache.statistics({ connectionId: connection!.id }));
    expect(dirname(path)).toBe(folder);
  });

  it("with backups that cannot be read says so, with the reason", async () => {
    const other = join(home.folder, "other");
    mkdirSync(other);
    writeFileSync(join(other, "user.db.backup-2026-10-01T00-00-00-000Z"), "junk".repeat(5_000));
    for (const words of [["restore"], ["restore", "newest"]])
      expect(await home.run([...words, "--data-folder", other])).toMatchObject({
        code: 6,
        stderr: expect.stringMatching(
          /user\.db\.backup-2026-10-01T00-00-00-000Z: The file is damaged[^]*No backup can be read/,
        ),
      });
  });
});
