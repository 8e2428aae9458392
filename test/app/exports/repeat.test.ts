import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { dataFolder } from "#main/dataFolder.ts";
import { exportCommand, repeatCommand } from "#main/app/exports/command.ts";
import type { ExportTask } from "#shared/bridge/methods/export.ts";
import type { SavedExport } from "#shared/file/savedExport.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { KEY } from "../../support/desk.ts";
import {
  chosenFile,
  connect,
  event,
  jobIn,
  openWorld,
  pointsAnswered,
  specFor,
  type TestWindow,
  valueOf,
  type World,
} from "../window.ts";

let world: World;
afterEach(() => world.close());

async function ended(window: TestWindow, { id }: ExportTask): Promise<ExportTask> {
  const isEnd = (task: ExportTask): boolean => task.id === id && task.state !== "running";
  const changed = event(window, "exportChanged", isEnd);
  return valueOf(await window.bridge.export.list({})).find(isEnd) ?? changed;
}

async function opened(change: Partial<SavedExport> = {}) {
  world = await openWorld();
  const window = world.open();
  const connectionId = await connect(world, window);
  valueOf(await window.bridge.catalogue.refresh({ connectionId }));
  const { range, ...selection } = specFor(world, 2);
  const saved: SavedExport = {
    ...selection,
    name: "Two days",
    connectionId,
    resampled: false,
    range: { kind: "fixed", range },
    format: "csv",
    heightReference: "WGS84_ELLIPSOID",
    template: "{name}_{start}.{ext}",
    ...change,
  };
  valueOf(await window.bridge.export.save({ saved }));
  const { name: _, connectionId: __, template: ___, ...request } = { ...saved, range };
  return { ...window, connectionId, saved, request };
}

describe("a repeated saved export", () => {
  it("downloads missing data in the queue, and writes the same bytes as an export", async () => {
    const window = await opened();
    const destination = await chosenFile(window, join(world.folder, "repeated.csv"));
    const task = await ended(window, valueOf(await window.bridge.export.repeat({ name: "Two days", destination })));
    expect(task).toMatchObject({ state: "finished", report: { stationIdsWithoutRows: [] } });
    expect(task.report?.rows).toBeGreaterThan(9_000);
    const [job, ...others] = valueOf(await window.bridge.jobs.list({}));
    expect([job?.state, others]).toEqual(["finished", []]);
    const { connectionId, request } = window;
    const byHand = await chosenFile(window, join(world.folder, "by-hand.csv"));
    await ended(window, valueOf(await window.bridge.export.start({ connectionId, request, destination: byHand })));
    expect(readFileSync(destination.path).equals(readFileSync(byHand.path))).toBe(true);
    // All data is cached now: no second job.
    world.service.resetStats();
    await ended(window, valueOf(await window.bridge.export.repeat({ name: "Two days", destination })));
    expect([pointsAnswered(world), valueOf(await window.bridge.jobs.list({})).length]).toEqual([0, 1]);
  });

  it("is like an export of the selection that downloads missing data first", async () => {
    const window = await opened();
    const { connectionId, request } = window;
    const destination = await chosenFile(window, join(world.folder, "fetched.csv"));
    const start = (fetchesFirst: boolean) =>
      window.bridge.export.start({ connectionId, request, destination, fetchesFirst });
    expect((await ended(window, valueOf(await start(false)))).report?.rows).toBe(0);
    const task = await ended(window, valueOf(await start(true)));
    expect(task.report?.rows).toBeGreaterThan(9_000);
    expect(valueOf(await window.bridge.jobs.list({})).map(({ state }) => state)).toEqual(["finished"]);
  });

  it("resolves a relative range by the clock of the service, also in the name of the download", async () => {
    const window = await opened({ range: { kind: "relative", period: "yesterday" } });
    const destination = { kind: "download" } as const;
    const task = await ended(window, valueOf(await window.bridge.export.repeat({ name: "Two days", destination })));
    const today = Math.floor(world.clock.wallMs() / DAY_MS) * DAY_MS;
    const yesterday = { startMs: today - DAY_MS, endMs: today };
    expect(task.request.range).toEqual(yesterday);
    const day = new Date(yesterday.startMs).toISOString().slice(0, 10);
    expect(task.downloads[0]?.name).toBe(`Two days_${day}.csv`.replace(" ", "-"));
  });

  it("rejects a file that was not chosen, and writes nothing if its download is cancelled", async () => {
    const window = await opened();
    const path = join(world.folder, "not-chosen.csv");
    const foreign = await window.bridge.export.repeat({ name: "Two days", destination: { kind: "file", path } });
    expect(foreign).toMatchObject({ ok: false, error: { kind: "usage" } });
    expect(existsSync(path)).toBe(false);

    const destination = await chosenFile(window, path);
    world.service.setOrganization("test", { key: "another" });
    const repeated = window.bridge.export.repeat({ name: "Two days", destination });
    const waiting = await event(window, "jobChanged", (job) => job.state === "needsKey");
    await jobIn(window, waiting.id, "needsKey");
    valueOf(await window.bridge.jobs.cancel({ jobId: waiting.id }));
    expect(await repeated).toMatchObject({ ok: false, error: { kind: "cancelled" } });
    expect([existsSync(path), valueOf(await window.bridge.export.list({}))]).toEqual([false, []]);
  });

  it("is deleted with its connection, and does not contain the key", async () => {
    const window = await opened();
    const kept = valueOf(await window.bridge.export.saved({}));
    expect(JSON.stringify(kept)).not.toContain(KEY);
    for (const file of readdirSync(world.folder).filter((f) => f.startsWith("user.db")))
      expect(readFileSync(join(world.folder, file)).includes(KEY)).toBe(false);
    valueOf(await window.bridge.connections.remove({ connectionId: window.connectionId }));
    expect(valueOf(await window.bridge.export.saved({}))).toEqual([]);
  });
});

describe("the command of a saved export", () => {
  const usual = { HOME: "/home/me", XDG_DATA_HOME: "/home/me/.data" };
  it.each<[string, string, Record<string, string>, NodeJS.Platform, string]>([
    ["Daily", dataFolder(usual), usual, "linux", "zenith export --repeat Daily --fetch"],
    ["Daily three", dataFolder(usual), usual, "linux", 'zenith export --repeat "Daily three" --fetch'],
    [
      "Daily",
      "/data/it's here",
      { ...usual, ZENITH_HOME: "/data/it's here" },
      "linux",
      "zenith export --repeat Daily --fetch --data-folder '/data/it'\\''s here'",
    ],
    [
      "Ä (1)",
      "/data/my zenith",
      { ...usual, npm_lifecycle_event: "zenith" },
      "win32",
      'npm run zenith -- export --repeat "Ä (1)" --fetch --data-folder "/data/my zenith"',
    ],
  ])("includes name and data folder: %s in %s", (name, folder, env, platform, expected) => {
    expect(repeatCommand(name, folder, env, platform)).toBe(expected);
  });
});

it("the command of an export has all options that apply to the format", () => {
  const request = {
    stationIds: ["a1", "b2"],
    variables: ["ztd", "pwv"],
    range: { startMs: Date.UTC(2026, 8, 1), endMs: Date.UTC(2026, 8, 2) },
    intervalSeconds: 900,
    raw: true,
    resampled: true,
    format: "csv",
    heightReference: "EGM2008",
    stationDetails: "columns",
    emptyRows: true,
    layout: "ragged",
  } as const;
  const place = { fileName: "it's.csv", connectionName: "my service", dataFolder: dataFolder({ HOME: "/h" }) };
  const common =
    "zenith export a1 b2 --vars ztd,pwv --from 2026-09-01T00:00:00Z --to 2026-09-02T00:00:00Z --interval 900s --resample --raw --height-reference EGM2008";
  expect(exportCommand(request, place, { HOME: "/h" }, "linux")).toBe(
    `${common} --station-details columns --empty-rows --format csv --out 'it'\\''s.csv' --connection 'my service'`,
  );
  expect(exportCommand({ ...request, format: "netcdf" }, { ...place, fileName: "a.nc" }, { HOME: "/h" }, "linux")).toBe(
    `${common} --layout ragged --format netcdf --out a.nc --connection 'my service'`,
  );
});
