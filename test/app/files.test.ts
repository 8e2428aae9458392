import { mkdirSync, readdirSync, readlinkSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { createBridgeClient } from "#shared/bridge/client.ts";
import { channelPair } from "#shared/bridge/transport/protocol.ts";
import type { OpenedFile } from "#shared/file/opened.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { writeTimeSeriesNetcdf } from "#formats/netcdf/index.ts";
import { FileReader } from "#main/app/files/guest/reader.ts";
import { faultOf as thrownFault } from "#main/fault.ts";
import { faultOf, valueOf } from "../bridge/cases/case.ts";
import { openApp } from "../bridge/app.ts";
import { DAY_MS, type PlainRow, regularRows, sourceOf, START_MS, station } from "../formats/sources.ts";
import { scratchFolder } from "../support/folder.ts";

// Opened files over the bridge of a whole application; this test is the shell that grants them.

const folder = scratchFolder();
const app = openApp(join(folder, "data"));
const { bridge, attach } = createBridgeClient();
const { window, core } = channelPair();
app.serve(core, null);
attach(window);

afterAll(() => app.close());

const DAYS = 3;
const ROWS = regularRows((DAYS * DAY_MS) / 30_000, 0);
const RANGE: TimeRange = { startMs: START_MS, endMs: START_MS + DAYS * DAY_MS };

async function netcdf(name: string, rows: readonly PlainRow[] = ROWS): Promise<string> {
  const path = join(folder, name);
  const variables = ["ztd", "ztd_sigma"] as const;
  const written = await writeTimeSeriesNetcdf(path, sourceOf({ stations: [station(0)], variables, rows: [rows] }));
  expect(written.ok).toBe(true);
  return path;
}

function text(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

function table(name: string, lines: readonly string[]): string {
  return text(name, `${["station_id,time,ztd_mm", ...lines].join("\r\n")}\r\n`);
}

async function opened(path: string): Promise<OpenedFile> {
  const [grant] = await app.files.grant([{ path }]);
  return valueOf(await bridge.files.open({ grantId: grant!.grantId }));
}

function ztdOf(rows: readonly PlainRow[]): Float64Array {
  return Float64Array.from(rows, (row) => Number(row.values.ztd));
}

it("a call that the end of the program stops is a stopped call, not a failure", async () => {
  const path = table("ending.csv", [`A,${new Date(START_MS).toISOString()},2400`]);
  const reader = new FileReader({ onLost: () => {}, scratchFolder: () => folder });
  const stopped = reader.request("open", "a", { path, name: "ending.csv" }, new AbortController().signal);
  reader.end();
  const thrown = await stopped.catch((reason: unknown) => reason);
  expect(thrownFault(thrown)).toMatchObject({ kind: "cancelled", message: "The files were closed." });
});

describe("an open file", () => {
  it("is read like a window of the cache: as rows if they are few, otherwise as columns", async () => {
    const file = await opened(await netcdf("window.nc"));
    const [ztd, sigma] = file.series;
    const query = { fileId: file.id, seriesIds: [ztd!.id, sigma!.id], range: RANGE, columns: 7 };
    const part = { startMs: START_MS + 60_000, endMs: START_MS + 120_000 };
    const [few] = valueOf(await bridge.files.window({ ...query, range: part, mostRows: 2 }));
    expect(few).toEqual({
      kind: "rows",
      seriesId: ztd!.id,
      range: part,
      timesMs: Float64Array.of(START_MS + 60_000, START_MS + 90_000),
      values: ztdOf(ROWS.slice(2, 4)),
    });
    const windows = valueOf(await bridge.files.window({ ...query, mostRows: 100 }));
    expect(windows.map((w) => [w.kind, w.seriesId])).toEqual([
      ["columns", ztd!.id],
      ["columns", sigma!.id],
    ]);
    const { values } = windows[0] as Extract<(typeof windows)[number], { kind: "columns" }>;
    const first = ztdOf(ROWS.filter((row) => row.timeMs < START_MS + (DAYS * DAY_MS) / 7));
    expect(values.count[0]).toBe(first.length);
    expect(values.min[0]).toBe(first.reduce((a, b) => Math.min(a, b)));
    expect(values.max[0]).toBe(first.reduce((a, b) => Math.max(a, b)));
    expect(values.count.reduce((a, b) => a + b)).toBe(ROWS.length);
    // Transferred arrays can be requested again.
    const again = valueOf(await bridge.files.window({ ...query, range: part, mostRows: 2 }));
    expect(again[0]).toEqual(few);
  });

  it("returns pages of series with common epochs, and rejects other combinations", async () => {
    const file = await opened(await netcdf("table.nc"));
    const seriesIds = file.series.map((s) => s.id);
    const page = valueOf(await bridge.files.page({ fileId: file.id, seriesIds, range: null, offset: 10, limit: 3 }));
    expect(page).toMatchObject({ total: ROWS.length, offset: 10 });
    expect(page.timesMs).toEqual(Float64Array.from(ROWS.slice(10, 13), (row) => row.timeMs));
    expect(page.columns[0]).toEqual(ztdOf(ROWS.slice(10, 13)));
    expect(page.columns).toHaveLength(2);
    const late = { fileId: file.id, seriesIds, range: { startMs: RANGE.endMs, endMs: RANGE.endMs + 1 } };
    expect(valueOf(await bridge.files.page({ ...late, offset: 5, limit: 5 }))).toMatchObject({
      total: 0,
      columns: [{}, {}],
    });
    const two = await opened(table("two.csv", ["a,2026-01-01T00:00:00Z,2401", "b,2026-01-02T00:00:00Z,2402"]));
    const both = { fileId: two.id, seriesIds: ["0", "1"], range: null, offset: 0, limit: 5 };
    expect(faultOf(await bridge.files.page(both)).message).toMatch(/different epochs/);
    expect(faultOf(await bridge.files.page({ ...both, seriesIds: ["9"] })).kind).toBe("usage");
  });

  it("is read in another process: other requests are answered before a page is decoded", async () => {
    const file = await opened(await netcdf("thread.nc"));
    const order: string[] = [];
    const page = bridge.files
      .page({ fileId: file.id, seriesIds: ["0"], range: null, offset: 0, limit: 9 })
      .then(() => order.push("page"));
    const others = Array.from({ length: 3 }, () => bridge.files.list({}).then(() => order.push("list")));
    await Promise.all([page, ...others]);
    expect(order).toEqual(["list", "list", "list", "page"]);
  });

  it("is not opened after a cancellation, which affects no other file", async () => {
    const before = await opened(table("before.csv", ["a,2026-01-01T00:00:00Z,2401"]));
    const lines = Array.from({ length: 60_000 }, (_, i) => `a,${new Date(START_MS + i * 1_000).toISOString()},${i}`);
    const [grant] = await app.files.grant([{ path: table("large.csv", lines) }]);
    const stop = new AbortController();
    const opening = bridge.files.open({ grantId: grant!.grantId }, { signal: stop.signal });
    await bridge.files.list({});
    stop.abort();
    expect(faultOf(await opening).kind).toBe("cancelled");
    expect(valueOf(await bridge.files.list({})).map((f) => f.name)).not.toContain("large.csv");
    const query = { fileId: before.id, seriesIds: ["0"], range: null, offset: 0, limit: 9 };
    expect(valueOf(await bridge.files.page(query)).total).toBe(1);
    const large = await opened(table("large.csv", lines));
    expect(large.series[0]?.rows).toBe(60_000);
  });

  it("keeps repeated rows in time order", async () => {
    const lines = ["a,2026-01-01T00:01:00Z,2003", "a,2026-01-01T00:00:00Z,2001", "a,2026-01-01T00:01:00Z,2004"];
    const file = await opened(table("twice.csv", lines));
    const page = valueOf(
      await bridge.files.page({ fileId: file.id, seriesIds: ["0"], range: null, offset: 0, limit: 9 }),
    );
    expect([...page.timesMs].map((ms) => (ms - START_MS) / 1_000)).toEqual([0, 60, 60]);
    expect([...page.columns[0]!]).toEqual([2_001, 2_003, 2_004]);
    expect(file.notes).toEqual([expect.stringMatching(/out of order/), expect.stringMatching(/Duplicate epochs/)]);
  });

  it("is the same when opened again by any path, unless it has changed", async () => {
    const path = table("same.csv", ["a,2026-01-01T00:00:00Z,2401"]);
    symlinkSync(path, join(folder, "link.csv"));
    const first = await opened(path);
    expect((await opened(join(folder, "link.csv"))).id).toBe(first.id);
    table("same.csv", ["a,2026-01-01T00:00:00Z,2402"]);
    utimesSync(path, 1, 1);
    expect((await opened(path)).id).not.toBe(first.id);
  });

  it("is read with the chosen columns in the same place, and so are later files with the same header", async () => {
    const first = await opened(text("chosen.txt", "when;what\n01/02/2026;2,3456\n02/02/2026;2,3465\n"));
    const other = await opened(table("after.csv", ["a,2026-01-01T00:00:00Z,2401"]));
    expect(first).toMatchObject({ series: [], table: { names: ["when", "what"] } });
    const columns = {
      noValue: null,
      columns: [
        { column: 0, role: "dayFirst" as const, unit: null },
        { column: 1, role: "ztd" as const, unit: "m" as const },
      ],
    };
    const wrong = { noValue: null, columns: [] };
    expect(faultOf(await bridge.files.chooseColumns({ fileId: first.id, columns: wrong })).message).toMatch(
      /^chosen\.txt: The dates in “when”, such as “01\/02\/2026”, do not say which number is the day/,
    );
    const chosen = valueOf(await bridge.files.chooseColumns({ fileId: first.id, columns }));
    expect(chosen).toMatchObject({ name: "chosen.txt", series: [{ rows: 2, quantity: { variable: "ztd" } }] });
    const listed = valueOf(await bridge.files.list({})).map(({ id }) => id);
    expect(listed).not.toContain(first.id);
    expect(listed.slice(-2)).toEqual([chosen.id, other.id]);
    const page = { fileId: chosen.id, seriesIds: ["0"], range: null, offset: 0, limit: 9 };
    expect([...valueOf(await bridge.files.page(page)).columns[0]!]).toEqual([2_345.6, 2_346.5]);
    const next = await opened(text("next.txt", "when;what\n02/02/2026;2,3456\n03/02/2026;2,3465\n"));
    expect(next.series).toHaveLength(1);
    expect(faultOf(await bridge.files.chooseColumns({ fileId: first.id, columns })).message).toContain(
      "no longer open",
    );
  });

  it("of several is read with the chosen columns, as are later ones with the same header", async () => {
    const folders = ["asking", "later"].map((name) => join(folder, name));
    for (const [n, path] of folders.entries()) {
      mkdirSync(path);
      for (const day of [1, 2])
        writeFileSync(
          join(path, `${day}.txt`),
          `when;site;what\n01/0${day}/2026;A;2,345${n}\n02/0${day}/2026;A;2,346${n}\n`,
        );
    }
    const asked = await opened(folders[0]!);
    expect(asked).toMatchObject({
      series: [],
      table: { names: ["when", "site", "what"] },
      notes: [expect.stringMatching(/^1\.txt: /)],
    });
    const columns = [
      { column: 0, role: "dayFirst" as const, unit: null },
      { column: 2, role: "ztd" as const, unit: "m" as const },
    ];
    const answer = { fileId: asked.id, columns: { noValue: null, columns } };
    expect(valueOf(await bridge.files.chooseColumns(answer)).series).toMatchObject([{ rows: 4 }]);
    expect((await opened(folders[1]!)).series).toMatchObject([{ rows: 4 }]);
  });

  it.each([
    ["several", ""],
    ["wide", `,${Array.from({ length: 2_000 }, (_, i) => `column ${i}`).join()}`],
  ])("of %s asks one question after the other, and remembers each answer", async (several, more) => {
    const path = join(folder, several);
    mkdirSync(path);
    const headers = ["time,site,pwv", "time,station,pwv"].map((head) => `${head}${more}`);
    for (const [name, head] of [
      ["1.csv", headers[0]],
      ["2.csv", headers[1]],
    ] as const)
      writeFileSync(join(path, name), `${head}\n2026-01-0${name[0]}T00:00:00Z,A,2.5${more.replaceAll(/[^,]/g, "")}\n`);
    const answer = (fileId: string, unit: "mm" | "cm") => {
      const columns = [{ column: 2, role: "pwv" as const, unit }];
      return bridge.files.chooseColumns({ fileId, columns: { noValue: null, columns } });
    };
    const first = await opened(path);
    expect(first).toMatchObject({ series: [], table: { header: headers[0] } });
    const second = valueOf(await answer(first.id, "cm"));
    expect(second).toMatchObject({ series: [], table: { header: headers[1] } });
    expect(second.notes).toEqual([expect.stringMatching(/^2\.csv: .* Choose what the columns contain\.$/)]);
    const whole = valueOf(await answer(second.id, "mm"));
    const query = { fileId: whole.id, seriesIds: ["0"], range: null, offset: 0, limit: 9 };
    expect([...valueOf(await bridge.files.page(query)).columns[0]!]).toEqual([25, 2.5]);
    expect(valueOf(await bridge.files.list({})).filter(({ name }) => name === several)).toHaveLength(1);
  });

  it("is listed in every window until one closes it, without a connection", async () => {
    const before = valueOf(await bridge.files.list({})).length;
    const changes: string[] = [];
    const stop = bridge.on("filesChanged", () => changes.push("changed"));
    const file = await opened(table("listed.csv", ["a,2026-01-01T00:00:00Z,2401"]));
    const other = createBridgeClient();
    const pair = channelPair();
    app.serve(pair.core, null);
    other.attach(pair.window);
    expect(valueOf(await other.bridge.files.list({})).at(-1)).toEqual(file);
    valueOf(await other.bridge.files.close({ fileId: file.id }));
    expect(valueOf(await bridge.files.list({}))).toHaveLength(before);
    stop();
    expect(changes).toEqual(["changed", "changed"]);
    const gone = { fileId: file.id, seriesIds: ["0"], range: RANGE, columns: 1, mostRows: 1 };
    expect(faultOf(await bridge.files.window(gone)).message).toMatch(/no longer open/);
    expect(valueOf(await bridge.connections.list({}))).toEqual([]);
  });
});

describe("a grant", () => {
  it("is used up by one attempt, and a page cannot make one", async () => {
    const [grant] = await app.files.grant([{ path: table("once.csv", ["a,2026-01-01T00:00:00Z,2401"]) }]);
    valueOf(await bridge.files.open({ grantId: grant!.grantId }));
    expect(faultOf(await bridge.files.open({ grantId: grant!.grantId })).message).toMatch(/no longer available/);
    const path = join(folder, "once.csv");
    for (const grantId of [path, "../once.csv", `file://${path}`])
      expect(faultOf(await bridge.files.open({ grantId })).kind).toBe("usage");
    expect(JSON.stringify(grant)).not.toContain(folder);
  });

  it("is made for offered files and folders with their kind, and kept until a window takes it", async () => {
    const path = table("offered.csv", ["a,2026-01-01T00:00:00Z,2401"]);
    const views = join(folder, "some.ZENITH");
    writeFileSync(views, "{}");
    const days = join(folder, "days");
    mkdirSync(days);
    for (const day of [1, 2]) table(`days/${day}.csv`, [`a,2026-01-0${day}T00:00:00Z,2401`]);
    const offered = new Promise((resolve) => bridge.on("filesOffered", resolve));
    await app.files.offer([{ path }, { path: days }, { path: join(folder, "gone.nc") }, { path: views }]);
    await offered;
    const taken = valueOf(await bridge.files.takeOffered({}));
    expect(taken.map(({ name, kind }) => [name, kind])).toEqual([
      ["offered.csv", "data"],
      ["days", "data"],
      ["some.ZENITH", "views"],
    ]);
    expect(valueOf(await bridge.files.takeOffered({}))).toEqual([]);
    const both = valueOf(await bridge.files.open({ grantId: taken[1]!.grantId }));
    expect(both).toMatchObject({ name: "days", bytes: 2 * taken[0]!.bytes, series: [{ rows: 2 }] });
    expect(valueOf(await bridge.files.open({ grantId: taken[0]!.grantId })).name).toBe("offered.csv");
  });

  it("for an upload names a series without a station after the uploaded file", async () => {
    const path = join(folder, "13323450-a88d-4e7c");
    writeFileSync(path, "time,ztd_mm\n2026-01-01T00:00:00Z,2400\n");
    const [grant] = await app.files.grant([{ path, name: "roof.csv", isTemporary: true }]);
    const file = valueOf(await bridge.files.open({ grantId: grant!.grantId }));
    expect([file.name, file.series.map(({ label }) => label)]).toEqual(["roof.csv", ["roof"]]);
  });

  it("for an unreadable file gives a message with its name", async () => {
    const path = join(folder, "broken.nc");
    writeFileSync(path, "CDF\u0001");
    const [grant] = await app.files.grant([{ path }]);
    const fault = faultOf(await bridge.files.open({ grantId: grant!.grantId }));
    expect(fault).toMatchObject({ kind: "usage", message: expect.stringMatching(/^broken\.nc: .* ends too early/) });
    const [gone] = await app.files.grant([{ path }]);
    rmSync(path);
    const missing = faultOf(await bridge.files.open({ grantId: gone!.grantId }));
    expect(missing).toMatchObject({ kind: "disk", message: expect.stringContaining("broken.nc") });
  });

  it("expires after hundreds of later ones", async () => {
    const path = table("many.csv", ["a,2026-01-01T00:00:00Z,2401"]);
    const grants = await app.files.grant(Array.from({ length: 250 }, () => ({ path })));
    expect(faultOf(await bridge.files.open({ grantId: grants[0]!.grantId })).kind).toBe("usage");
    expect((await bridge.files.open({ grantId: grants[249]!.grantId })).ok).toBe(true);
  });
});

it("a file can be opened again from the list of recent files while it exists", async () => {
  const path = table("recent.csv", ["a,2026-01-01T00:00:00Z,2400.0"]);
  const file = await opened(path);
  const [grant] = await app.files.grant([
    { path: table("copy.csv", ["a,2026-01-01T00:00:00Z,2401.0"]), isTemporary: true },
  ]);
  valueOf(await bridge.files.open({ grantId: grant!.grantId }));
  const listed = valueOf(await bridge.files.recent({}));
  expect(listed.map(({ name }) => name)).not.toContain("copy.csv");
  const [newest] = listed;
  expect(newest).toMatchObject({ name: "recent.csv", folder });
  valueOf(await bridge.files.close({ fileId: file.id }));
  const again = valueOf(await bridge.files.openRecent({ recentId: newest!.recentId }));
  expect(valueOf(await bridge.files.open({ grantId: again.grantId })).name).toBe("recent.csv");
  rmSync(path);
  expect(valueOf(await bridge.files.recent({})).map(({ name }) => name)).not.toContain("recent.csv");
  expect(faultOf(await bridge.files.openRecent({ recentId: newest!.recentId })).message).toContain("no longer exists");
  valueOf(await bridge.files.clearRecent({}));
  expect(valueOf(await bridge.files.recent({}))).toEqual([]);
});

it("a file that two windows open at the same time is opened once", async () => {
  const path = table("together.csv", ["a,2026-01-01T00:00:00Z,2401"]);
  const before = app.files.list().length;
  const grants = await app.files.grant([{ path }, { path }]);
  const answers = await Promise.all(grants.map(({ grantId }) => bridge.files.open({ grantId })));
  const [first, second] = answers.map(valueOf);
  expect([second!.id, app.files.list().length]).toEqual([first!.id, before + 1]);
});

it.skipIf(process.platform !== "linux")("a file whose opening is stopped is not kept open", async () => {
  const path = table("stopped.csv", ["a,2026-01-01T00:00:00Z,2401"]);
  const isOpen = (): boolean => readdirSync("/proc/self/fd").some((fd) => linkOf(`/proc/self/fd/${fd}`) === path);
  const stop = new AbortController();
  const [grant] = await app.files.grant([{ path }]);
  const answer = app.files.open(grant!.grantId, stop.signal);
  while (!isOpen()) await setImmediate();
  stop.abort();
  expect(faultOf(await answer).kind).toBe("cancelled");
  await expect.poll(isOpen).toBe(false);
});

function linkOf(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}
