import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ExportFormat } from "#shared/file/formats.ts";
import type { Desktop } from "#main/ports.ts";
import { newRun } from "#main/app/schedules/delivery.ts";
import { gateShare } from "../support/endurance.ts";
import { openNetcdf } from "../support/openNetcdf.ts";
import type { ExportTask } from "#shared/bridge/methods/export.ts";
import type { JobSpec } from "#shared/job/job.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import {
  chosenFile,
  connectedWorld,
  download,
  event,
  isDownloaded,
  jobIn,
  specFor,
  type TestWindow,
  valueOf,
} from "./window.ts";

import { scheduleOf } from "./scheduleOf.ts";

/** Delays responses, so that a test can act while a job runs. */
const SLOW = [{ fault: { kind: "slow", delayMs: 15 }, endpoints: ["query"] }] as const;

const DOWNLOAD = { kind: "download" } as const;

/** A window with a connection that has downloaded data of this number of stations. */
async function filled(n = 1, change: Partial<JobSpec> = {}, desktop: Partial<Desktop> = {}) {
  const opened = await connectedWorld({}, desktop);
  const spec = specFor(opened.world, n, change);
  await download(opened.window, opened.connectionId, spec);
  return { ...opened, spec, request: requestFor(spec, "csv") };
}

function requestFor(spec: JobSpec, format: ExportFormat = "netcdf") {
  return {
    ...spec,
    stationIds: [...spec.stationIds],
    variables: [...spec.variables],
    resampled: false,
    format,
    heightReference: "WGS84_ELLIPSOID" as const,
  };
}

async function ended(window: TestWindow, { id }: ExportTask): Promise<ExportTask> {
  const isEnd = (task: ExportTask): boolean => task.id === id && task.state !== "running";
  const changed = event(window, "exportChanged", isEnd);
  return valueOf(await window.bridge.export.list({})).find(isEnd) ?? changed;
}

/** An export that failed, for a reason that is gone. */
async function failedExport() {
  const { world, window, bridge, connectionId, request } = await filled();
  // A file in place of the folder.
  const downloads = join(world.folder, "exports");
  writeFileSync(downloads, "");
  const task = valueOf(await bridge.export.start({ connectionId, request, destination: DOWNLOAD }));
  expect(await ended(window, task)).toMatchObject({ state: "failed" });
  rmSync(downloads);
  return { window, bridge, task };
}

describe("export tasks", () => {
  it("write NetCDF in the background, with progress and the estimated rows and size", async () => {
    // So long that it cannot end before progress is reported a second time.
    const range = { startMs: Date.UTC(2026, 8, 1), endMs: Date.UTC(2026, 9, 1) };
    const { world, window, connectionId, spec } = await filled(4, { range });
    const request = requestFor(spec);
    const estimated = valueOf(await window.bridge.export.estimate({ connectionId, request }));
    expect(estimated.suggestedName).toBe("4-stations_ztd-pwv_native_2026-09-01-to-2026-09-30.nc");
    expect(estimated.fileNames).toEqual([estimated.suggestedName, `${estimated.suggestedName}.json`]);
    expect(estimated.emptyShare).toBeLessThan(0.1);
    const ragged = valueOf(
      await window.bridge.export.estimate({ connectionId, request: { ...request, layout: "ragged" } }),
    );
    expect(ragged).toMatchObject({ emptyShare: null, command: expect.stringContaining("--layout ragged") });
    const path = join(world.folder, estimated.suggestedName);
    const changes: ExportTask[] = [];
    window.bridge.on("exportChanged", (task) => changes.push(task));
    const destination = await chosenFile(window, path);
    const task = await ended(window, valueOf(await window.bridge.export.start({ connectionId, request, destination })));
    expect(task).toMatchObject({
      state: "finished",
      rowsDone: estimated.rows,
      rowsTotal: estimated.rows,
      downloads: [],
    });
    expect(task.report).toMatchObject({ rows: estimated.rows, files: [{ path }] });
    expect(changes.some((t) => t.state === "running" && t.rowsDone > 0 && t.rowsDone < estimated.rows)).toBe(true);
    const bytes = statSync(path).size;
    expect(estimated.bytes).toBeGreaterThan(bytes * 0.6);
    expect(estimated.bytes).toBeLessThan(bytes * 1.7);
    const file = valueOf(await openNetcdf(path));
    file.close();
  });

  it("estimate satellites and means in each format", async () => {
    const day = { startMs: Date.UTC(2026, 8, 1), endMs: Date.UTC(2026, 8, 2) };
    const opened = await filled(1, { variables: ["snr", "el", "az"], range: day });
    const { world, window, connectionId, spec: satellites } = opened;
    const long = { startMs: day.startMs, endMs: day.startMs + 10 * DAY_MS };
    const means = specFor(world, 4, { intervalSeconds: 3_600, range: long });
    await download(window, connectionId, means);
    for (const format of gateShare(["csv", "excel", "netcdf", "sqlite", "parquet", "netcdf3"] as const))
      for (const spec of [satellites, means]) {
        const request = requestFor(spec, format);
        const estimated = valueOf(await window.bridge.export.estimate({ connectionId, request }));
        const destination = await chosenFile(window, join(world.folder, `${format} ${estimated.suggestedName}`));
        const started = valueOf(await window.bridge.export.start({ connectionId, request, destination }));
        const { report } = await ended(window, started);
        const [rows, bytes] = [estimated.rows / report!.rows, estimated.bytes / report!.files[0]!.bytes];
        const isClose = rows > 0.85 && rows < 1.15 && bytes > 0.6 && bytes < 1.7;
        expect({ format, variables: spec.variables, rows, bytes, isClose }).toMatchObject({ isClose: true });
      }
  });

  it("list stations with missing parts, and file names of both kinds", async () => {
    const { world, window, connectionId, spec } = await filled();
    const [, other] = specFor(world, 2).stationIds;
    const request = requestFor({ ...spec, stationIds: [...spec.stationIds, other!], variables: ["ztd", "el"] }, "csv");
    const estimated = valueOf(await window.bridge.export.estimate({ connectionId, request }));
    expect(estimated.incompleteStationIds).toEqual(request.stationIds);
    expect(estimated.fileNames).toEqual([
      "2-stations_ztd-el_native_2026-09-01-to-2026-09-02.csv",
      "2-stations_ztd-el_native_2026-09-01-to-2026-09-02-satellites.csv",
      "2-stations_ztd-el_native_2026-09-01-to-2026-09-02.csv.json",
    ]);
  });

  it("leave no files when cancelled, not even the finished first of two", async () => {
    const range = { startMs: Date.UTC(2026, 8, 1), endMs: Date.UTC(2026, 8, 2) };
    const variables = ["ztd", "snr", "el", "az"] as const;
    const { world, window, connectionId, request } = await filled(2, { range, variables });
    const folder = join(world.folder, "out");
    mkdirSync(folder);
    const destination = await chosenFile(window, join(folder, "x.csv"));
    // Both have temporary names.
    const second = event(window, "exportChanged", () => readdirSync(folder).length === 2);
    const { id } = valueOf(await window.bridge.export.start({ connectionId, request, destination }));
    await second;
    const task = valueOf(await window.bridge.export.cancel({ exportId: id }));
    expect(task.state).toBe("cancelled");
    expect(readdirSync(folder)).toEqual([]);
  });

  it("offer files for download, and delete them with the task, at the end and at the start of the program", async () => {
    const { world, window, connectionId, request } = await filled();
    const start = async () =>
      ended(window, valueOf(await window.bridge.export.start({ connectionId, request, destination: DOWNLOAD })));
    const task = await start();
    const folder = join(world.folder, "exports", task.id);
    const [data] = task.downloads;
    expect(task.downloads.map((d) => d.name)).toEqual(readdirSync(folder).toSorted());
    expect(data!.href).toBe(`/exports/${task.id}/${encodeURIComponent(data!.name)}`);
    expect(readFileSync(join(folder, data!.name)).length).toBe(data!.bytes);
    const removed = event(window, "exportRemoved", () => true);
    valueOf(await window.bridge.export.remove({ exportId: task.id }));
    expect(await removed).toEqual({ exportId: task.id });
    expect(existsSync(folder)).toBe(false);
    const other = await start();
    await window.app.close();
    expect(existsSync(join(world.folder, "exports", other.id))).toBe(false);
    const left = join(world.folder, "exports", "left by a kill");
    mkdirSync(left, { recursive: true });
    world.open();
    await expect.poll(() => existsSync(left)).toBe(false);
  });

  it("offer a Parquet dataset for download as one file, and reject satellites in a format without them", async () => {
    const { window, connectionId, spec } = await filled();
    const [parquet, destination] = [requestFor(spec, "parquet"), DOWNLOAD];
    const start = (change: object) =>
      window.bridge.export.start({ connectionId, request: { ...parquet, ...change }, destination });
    const task = await ended(window, valueOf(await start({})));
    const [data, sidecar] = task.downloads;
    expect([data!.name.endsWith(".parquet"), sidecar!.name]).toEqual([true, `${data!.name}.json`]);
    expect(statSync(task.report!.files[0]!.path).size).toBe(data!.bytes);
    const satellites = { format: "sinex" as const, variables: ["ztd" as const, "el" as const] };
    const refusal = { ok: false, error: { kind: "usage", message: expect.stringContaining("no satellites") } };
    expect(await start(satellites)).toMatchObject(refusal);
    const request = { ...requestFor(spec), ...satellites };
    expect(await window.bridge.export.estimate({ connectionId, request })).toMatchObject(refusal);
  });

  it("report an unwritable destination, and replace an existing file", async () => {
    const { world, window, bridge, connectionId, spec, request } = await filled();
    const start = async (path: string) =>
      bridge.export.start({ connectionId, request, destination: await chosenFile(window, path) });
    const nowhere = await start(join(world.folder, "nowhere", "x.csv"));
    expect(nowhere).toMatchObject({ ok: false, error: { kind: "disk", message: expect.stringContaining("nowhere") } });
    expect(await start("x.csv")).toMatchObject({ ok: false, error: { kind: "usage" } });
    expect(await start(world.folder)).toMatchObject({ ok: false, error: { kind: "disk" } });
    const foreign = bridge.export.start({
      connectionId,
      request: requestFor(spec, "parquet"),
      destination: { kind: "file", path: world.folder },
    });
    expect((await ended(window, valueOf(await foreign))).fault).toMatchObject({
      message: expect.stringContaining("other things"),
    });
    const path = join(world.folder, "x.csv");
    writeFileSync(path, "old");
    await ended(window, valueOf(await start(path)));
    expect(readFileSync(path, "utf8")).toMatch(/^station_id,station_name,time/);
  });

  it("reject a file that was not chosen in the dialog", async () => {
    const { world, bridge, connectionId, request } = await filled();
    const path = join(world.folder, "not-chosen.csv");
    const started = await bridge.export.start({ connectionId, request, destination: { kind: "file", path } });
    expect(started).toMatchObject({ ok: false, error: { kind: "usage" } });
    expect(existsSync(path)).toBe(false);
  });

  it("with missing data are listed at once, and stopping one stops its download", async () => {
    const { world, window, bridge, connectionId } = await connectedWorld({ faults: SLOW });
    const request = requestFor(specFor(world, 4), "csv");
    const destination = await chosenFile(window, join(world.folder, "x.csv"));
    const answer = bridge.export.start({ connectionId, request, destination, fetchesFirst: true });
    expect(valueOf(await answer)).toMatchObject({ state: "running", isDownloading: true });
    const [task] = valueOf(await bridge.export.list({}));
    expect(valueOf(await bridge.jobs.list({}))).toHaveLength(1);
    expect(valueOf(await bridge.export.cancel({ exportId: task!.id }))).toMatchObject({ state: "cancelled" });
    expect(valueOf(await bridge.jobs.list({}))).toEqual([]);
    expect(existsSync(destination.path)).toBe(false);
  });

  it("that wait for a download when the program ends leave it in the queue", async () => {
    const { world, bridge, app, connectionId } = await connectedWorld({ faults: SLOW });
    const request = requestFor(specFor(world, 4), "csv");
    valueOf(await bridge.export.start({ connectionId, request, destination: DOWNLOAD, fetchesFirst: true }));
    const [job] = valueOf(await bridge.jobs.list({}));
    await app.close();
    const again = world.open();
    valueOf(await again.bridge.connections.open({ connectionId }));
    expect((await jobIn(again, job!.id, "finished")).verdictCounts).toSatisfy(isDownloaded);
  });

  it("are written once if two windows try them again at the same time", async () => {
    const { window, bridge, task } = await failedExport();
    let beginnings = 0;
    bridge.on("exportChanged", ({ state, rowsTotal }) => {
      if (state === "running" && rowsTotal === 0) beginnings++;
    });
    const again = { exportId: task.id };
    const both = await Promise.all([bridge.export.retry(again), bridge.export.retry(again)]);
    expect(both.map((result) => result.ok)).toEqual([true, true]);
    expect(await ended(window, task)).toMatchObject({ state: "finished" });
    expect(beginnings).toBe(1);
  });

  it("can be removed though their files cannot be deleted now", async () => {
    const { world, window, bridge, connectionId, request } = await filled();
    const task = valueOf(await bridge.export.start({ connectionId, request, destination: DOWNLOAD }));
    await ended(window, task);
    // A file in place of the folder: nothing in it can be deleted.
    const downloads = join(world.folder, "exports");
    rmSync(downloads, { recursive: true });
    writeFileSync(downloads, "");
    valueOf(await bridge.export.remove({ exportId: task.id }));
    expect(valueOf(await bridge.export.list({}))).toEqual([]);
  });

  it("and files of scheduled runs can be shown in their folder, other files not", async () => {
    const shown: string[] = [];
    const opened = await filled(1, {}, { showInFolder: async (path) => void shown.push(path) });
    const { world, window, bridge, connectionId, request } = opened;
    const destination = await chosenFile(window, join(world.folder, "mine.csv"));
    await ended(window, valueOf(await bridge.export.start({ connectionId, request, destination })));
    valueOf(await bridge.system.showInFolder({ path: destination.path }));
    const { store } = window.app.schedules;
    const { id } = valueOf(store.save(null, scheduleOf({ connectionId }), world.clock.wallMs()));
    const path = join(world.folder, "scheduled.csv");
    writeFileSync(path, "");
    store.putRun({
      ...newRun(id, "time", world.clock.wallMs()),
      files: [{ path, bytes: 0, rows: 0, modifiedMs: null }],
    });
    await window.app.close();
    const later = world.open();
    valueOf(await later.bridge.system.showInFolder({ path }));
    const other = join(world.folder, "user.db");
    expect(await later.bridge.system.showInFolder({ path: other })).toMatchObject({ error: { kind: "usage" } });
    expect(shown).toEqual([destination.path, path]);
  });
});
