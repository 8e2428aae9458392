import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, expect, it } from "vitest";
import { openForeign } from "#main/app/files/foreign.ts";
import { FileReader } from "#main/app/files/guest/reader.ts";
import { startChild, startGuest } from "#main/app/files/guest/start.ts";
import { itUnless, WINDOWS_LACKS } from "../support/needs.ts";
import { scratchFolder } from "../support/folder.ts";
import { valueOf } from "../support/valueOf.ts";

// What files of others can do to this program and this computer.

const folder = scratchFolder();
const lost: string[] = [];
const kills: (() => void)[] = [];
const reader = new FileReader({
  onLost: (id) => void lost.push(id),
  scratchFolder: () => folder,
  start(listener) {
    const guest = startGuest(listener);
    kills.push(guest.kill);
    return guest;
  },
});
afterAll(() => reader.end());

const never = new AbortController().signal;
const open = (path: string, signal = never) => openForeign(reader, path, { signal });

function written(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

function table(name: string, ztd: number): string {
  return written(name, `station_id,time,ztd_mm\na,2026-01-01T00:00:00Z,${ztd}\na,2026-01-01T00:00:30Z,${ztd + 1}\n`);
}

const valuesOf = async (file: Awaited<ReturnType<typeof open>>, series = 0): Promise<number[]> => {
  const opened = valueOf(file);
  return [...valueOf(await opened.rows(opened.series[series]!.id)).values];
};

it("a guest has no environment, reads no file but the program, and writes none", async () => {
  const key = written("connection.key", "zk_secret");
  const answer = Promise.withResolvers<unknown>();
  const guest = startChild(join(import.meta.dirname, "files", "curiousGuest.ts"), {
    message: (message: unknown) => answer.resolve(message),
    gone: (cause) => answer.reject(new Error(cause)),
  });
  guest.post(key as never);
  expect(await answer.promise).toEqual({
    variables: [],
    read: "ERR_ACCESS_DENIED",
    environment: "ERR_ACCESS_DENIED",
    written: "ERR_ACCESS_DENIED",
  });
  guest.kill();
});

it("a file is read as in this process, also packed and as a folder, and leaves nothing", async () => {
  const before = readdirSync(folder);
  expect(await valuesOf(await open(table("a.csv", 2_400)))).toEqual([2_400, 2_401]);
  expect(
    await valuesOf(await open(written("b.csv.gz", gzipSync("station_id,time,ztd_mm\na,2026-01-01T00:00:00Z,7\n")))),
  ).toEqual([7]);
  const parts = mkdtempSync(join(folder, "parts-"));
  for (const day of [1, 2])
    writeFileSync(join(parts, `${day}.csv`), `station_id,time,ztd_mm\na,2026-01-0${day}T00:00:00Z,${2_400 + day}\n`);
  expect(await valuesOf(await open(parts))).toEqual([2_401, 2_402]);
  expect(await open(join(folder, "absent.csv"))).toMatchObject({
    ok: false,
    error: { message: expect.stringMatching(/absent\.csv does not exist/) },
  });
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(before));
  expect(readdirSync(folder).filter((name) => name.startsWith("zenith-"))).toEqual([]);
});

itUnless(WINDOWS_LACKS, "a pipe is refused, without waiting for its writer", async () => {
  const pipe = join(folder, "pipe.nc");
  expect(spawnSync("mkfifo", [pipe]).status).toBe(0);
  expect(await open(pipe)).toMatchObject({ ok: false, error: { message: expect.stringMatching(/pipe or a device/) } });
});

it("a guest that crashes costs no other file", async () => {
  const file = await open(table("kept.csv", 5));
  kills.at(-1)!();
  expect(await valuesOf(file)).toEqual([5, 6]);
  expect(lost).toEqual([]);
});

it("opening stops at once, and the guest goes on with other files", async () => {
  const stop = new AbortController();
  const opening = open(
    written("slow.csv.gz", gzipSync(Buffer.alloc(50_000_000, "station_id,time,ztd_mm\n"))),
    stop.signal,
  );
  stop.abort();
  expect(await opening).toMatchObject({ ok: false, error: { kind: "cancelled" } });
  expect(await valuesOf(await open(table("next.csv", 2_403)))).toEqual([2_403, 2_404]);
});
