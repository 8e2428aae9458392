import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryName } from "#formats/leftovers.ts";
import type { Result } from "#shared/service/error.ts";
import type { AppFault } from "#shared/fault.ts";
import { openUserStore } from "#main/store/index.ts";
import { dataSource, markSimulated } from "#main/app/exports/dataSource.ts";
import type { SavedView } from "#shared/views/view.ts";
import { dump } from "../support/dump.ts";
import { KEY } from "../support/desk.ts";
import { itNightly } from "../support/needs.ts";
import { connect, connectedWorld, download, event, openWorld, specFor, type TestWindow, valueOf } from "./window.ts";

function faultOf(answer: Result<unknown, AppFault>): string {
  if (answer.ok) throw new Error("a fault was expected");
  return answer.error.message;
}

/** Anna's data: two days of four stations, and a view of three of them. */
async function annas() {
  const { world, window, connectionId } = await connectedWorld();
  const spec = specFor(world, 4);
  await download(window, connectionId, spec);
  const view: SavedView = {
    name: "Storm",
    connectionId,
    savedAtMs: 1,
    workspace: {
      stationIds: spec.stationIds.slice(0, 3),
      slots: {},
      moving: null,
      range: spec.range,
      variables: ["ztd"],
      intervalSeconds: null,
      raw: false,
      resampled: false,
      showSigma: true,
      view: "series",
      panes: {},
    },
  };
  valueOf(await window.bridge.views.save({ views: [view] }));
  return { world, window, connectionId, spec, view };
}

type Annas = Awaited<ReturnType<typeof annas>>;

async function shareViews({ window, connectionId }: Annas, tellsAddress = true) {
  const selection = { connectionId, names: ["Storm"], also: null, satellites: true };
  const destination = { kind: "download", name: "Storm.zenith" } as const;
  return valueOf(
    await window.bridge.views.writeFile({ ...selection, author: "Anna", tellsAddress, destination, workId: "w" }),
  );
}

async function openFile({ app, bridge }: TestWindow, path: string, name = "Storm.zenith") {
  const [grant] = await app.files.grant([{ path, name }]);
  return bridge.views.openFile({ grantId: grant!.grantId, workId: "o" });
}

async function cacheOf({ app }: TestWindow, id: string) {
  return (await app.connections.open(app.connections.find(id)!)).cache;
}

describe("a session file with data", () => {
  it("is estimated, written with progress, and contains neither the key nor stations outside its views", async () => {
    const anna = await annas();
    const { window, connectionId, spec } = anna;
    const selection = { connectionId, names: ["Storm"], also: null, satellites: true };
    const estimated = valueOf(await window.bridge.views.estimateFile(selection));
    expect(estimated).toMatchObject({ stations: 3, hasData: true });
    const progress = event(window, "workProgress", ({ workId }) => workId === "w");
    const file = await shareViews(anna);
    expect((await progress).share).toBeGreaterThanOrEqual(0);
    expect(file).toMatchObject({ name: "Storm.zenith", stations: 3, views: 1 });
    expect(file.href).toContain("Storm.zenith");
    expect(estimated.bytes / file.bytes).toBeGreaterThan(0.5);
    expect(estimated.bytes / file.bytes).toBeLessThan(2);
    const bytes = readFileSync(file.path);
    for (const form of [
      KEY,
      encodeURIComponent(KEY),
      Buffer.from(KEY).toString("base64"),
      Buffer.from(KEY).toString("hex"),
    ])
      expect(bytes.includes(form)).toBe(false);
    expect(bytes.includes(Buffer.from(KEY, "utf16le"))).toBe(false);
    expect(bytes.includes(spec.stationIds[0]!)).toBe(true);
    expect(bytes.includes(spec.stationIds[3]!)).toBe(false);
    expect(bytes.includes(new URL(anna.world.service.url).host)).toBe(true);
    const withoutAddress = await shareViews(anna, false);
    expect(readFileSync(withoutAddress.path).includes(new URL(anna.world.service.url).host)).toBe(false);
  });

  itNightly("contains the current selection if no view is chosen", async () => {
    const anna = await annas();
    const { window, connectionId, spec } = anna;
    const stationIds = spec.stationIds.slice(1, 3);
    const file = valueOf(
      await window.bridge.views.writeFile({
        connectionId,
        names: [],
        also: { stationIds, range: spec.range, workspace: null },
        satellites: false,
        author: null,
        tellsAddress: false,
        destination: { kind: "download", name: "shown.zenith" },
        workId: "w",
      }),
    );
    expect(file).toMatchObject({ stations: 2, views: 1 });
    const mine = await openWorld();
    const { connection, views } = valueOf(await openFile(mine.open(), file.path, "shown.zenith"));
    expect(views).toMatchObject([{ connectionId: connection?.id, workspace: { stationIds, range: spec.range } }]);
    // It is offered until it is deleted.
    const offered = async () => valueOf(await window.bridge.views.writtenFiles({})).map(({ path }) => path);
    expect(await offered()).toEqual([file.path]);
    rmSync(file.path);
    expect(await offered()).toEqual([]);
  });

  it("is opened as a separate connection with identical data and gaps, and no request is sent", async () => {
    const anna = await annas();
    const file = await shareViews(anna);
    const mine = await openWorld();
    const window = mine.open();
    const own = await connect(mine, window);
    const ownStations = (await cacheOf(window, own)).sizes().length;
    const { connection, views } = valueOf(await openFile(window, file.path));
    expect(connection).toMatchObject({ kind: "file", hasKey: false, baseUrl: anna.world.service.url });
    expect(connection?.name).toMatch(/^From Anna’s file, 2026-10-15$/);
    const id = connection!.id;
    expect(views).toEqual([{ ...anna.view, connectionId: id }]);
    expect(valueOf(await window.bridge.views.list({}))).toEqual(views);

    const before = mine.service.stats.log.length + anna.world.service.stats.log.length;
    valueOf(await window.bridge.connections.open({ connectionId: id }));
    const series = { ...anna.spec, stationIds: anna.spec.stationIds.slice(0, 3) };
    const [his, hers] = [await cacheOf(window, id), await cacheOf(anna.window, anna.connectionId)];
    expect(dump(his, series)).toEqual(dump(hers, series));
    const gaps = async (of: TestWindow, connectionId: string) =>
      valueOf(
        await of.bridge.series.gaps({
          connectionId,
          stationIds: series.stationIds,
          variables: series.variables,
          range: series.range,
          mode: { intervalSeconds: null, raw: false, resampled: false },
          minimumMs: 0,
        }),
      );
    expect(await gaps(window, id)).toEqual(await gaps(anna.window, anna.connectionId));
    expect((await cacheOf(window, own)).sizes()).toHaveLength(ownStations);

    const readOnlyMessage = /contains data from a file\. They are read-only\. .*your own key/;
    const spec = { ...anna.spec, variables: ["ztd_sigma" as const] };
    expect(faultOf(await window.bridge.jobs.start({ connectionId: id, spec, keepUp: false }))).toMatch(readOnlyMessage);
    expect(faultOf(await window.bridge.catalogue.refresh({ connectionId: id }))).toMatch(readOnlyMessage);
    expect(faultOf(await window.bridge.connections.setKey({ connectionId: id, apiKey: KEY, remember: true }))).toMatch(
      readOnlyMessage,
    );
    const all = { connectionId: id, stationIds: null, range: null };
    expect(faultOf(await window.bridge.cache.forget(all))).toMatch(readOnlyMessage);
    expect(faultOf(await window.bridge.cache.setMaximumSize({ connectionId: id, bytes: 10_000_000 }))).toMatch(
      readOnlyMessage,
    );
    const named = { name: connection!.name, baseUrl: mine.service.url, apiKey: KEY, remember: true };
    expect(faultOf(await window.bridge.connections.add(named))).toContain("cannot be the name of a connection");
    expect(mine.service.stats.log.length + anna.world.service.stats.log.length).toBe(before);

    // It can be shared again with the same content.
    const again = {
      connectionId: id,
      names: ["Storm"],
      also: null,
      satellites: true,
      author: null,
      tellsAddress: true,
    };
    const destination = { kind: "download", name: "Storm.zenith" } as const;
    const copy = valueOf(await window.bridge.views.writeFile({ ...again, destination, workId: "w2" }));
    const second = valueOf(await openFile(window, copy.path));
    expect(second.connection?.name).toMatch(/^From Storm, 2026-10-15/);
    expect(second.views.map((v) => v.name)).toEqual(["Storm (2)"]);
    expect(dump(await cacheOf(window, second.connection!.id), series)).toEqual(dump(hers, series));
  });

  itNightly(
    "tells that its data are simulated, also in the files of those who open it, and hides a withheld address",
    async () => {
      const anna = await annas();
      const hers = await anna.window.app.connections.open(anna.window.app.connections.find(anna.connectionId)!);
      const withheld = await shareViews(anna, false);
      // As those of the demo are.
      markSimulated(hers.cache);
      const simulated = await shareViews(anna, false);
      const mine = await openWorld();
      const window = mine.open();
      const origins: unknown[] = [];
      for (const [{ path }, source] of [
        [withheld, "a session file,"],
        [simulated, "the Zenith Desk demo (simulated),"],
      ] as const) {
        const { id } = valueOf(await openFile(window, path)).connection!;
        const connection = await window.app.connections.open(window.app.connections.find(id)!);
        origins.push(dataSource(connection));
        const { isSimulated } = valueOf(await window.bridge.connections.open({ connectionId: id }));
        expect(isSimulated).toBe(dataSource(connection).isSimulated);
        const { stationIds, range } = anna.view.workspace;
        const svg = join(mine.folder, `${origins.length}.svg`);
        const mode = { intervalSeconds: null, raw: false, resampled: false };
        const request = { stationIds, range, variables: ["ztd" as const], mode, format: "svg" as const, path: svg };
        const look = { ...window.app.settings.read().figure, hasSource: true };
        valueOf(await window.app.figure(connection, { ...request, look }, new AbortController()));
        expect(readFileSync(svg, "utf8")).toContain(`Data from ${source}`);
      }
      expect(origins).toEqual([
        { service: "unknown", isSimulated: false },
        { service: "Zenith Desk demo", isSimulated: true },
      ]);
    },
  );

  it("without data is opened as views only; damaged files are reported and leave no files", async () => {
    const mine = await openWorld();
    const window = mine.open();
    const anna = await annas();
    const written = join(anna.world.folder, "views.zenith");
    valueOf(await anna.window.app.sessionFiles.saveViews(["Storm"], written));
    expect(valueOf(await openFile(window, written))).toMatchObject({
      connection: null,
      views: [{ name: "Storm", connectionId: null }],
    });
    const before = readdirSync(mine.folder).toSorted();
    const file = await shareViews(anna);
    const half = join(anna.world.folder, "half.zenith");
    const whole = readFileSync(file.path);
    writeFileSync(half, whole.subarray(0, whole.length / 2));
    expect(faultOf(await openFile(window, half, "half.zenith"))).toMatch(
      /^half.zenith: This file is damaged or incomplete/,
    );
    const text = join(anna.world.folder, "text.zenith");
    writeFileSync(text, "hello");
    expect(faultOf(await openFile(window, text, "text.zenith"))).toMatch(/no views of Zenith Desk/);
    expect(faultOf(await window.bridge.views.openFile({ grantId: "none", workId: "o" }))).toMatch(/Choose it again/);
    expect(readdirSync(mine.folder).toSorted()).toEqual(before);
    expect(valueOf(await window.bridge.connections.list({}))).toEqual([]);
  });

  it("is written only into an existing folder", async () => {
    const anna = await annas();
    const { app } = anna.window;
    const path = join(anna.world.folder, "mistyped", "Storm.zenith");
    const connection = await app.connections.open(app.connections.find(anna.connectionId)!);
    const selection = { names: ["Storm"], also: null, satellites: true };
    const pace = { onProgress: () => {}, signal: new AbortController().signal };
    const about = { author: null, tellsAddress: false };
    expect(faultOf(await app.sessionFiles.save(connection, selection, { ...about, path }, pace))).toContain(
      "does not exist",
    );
    expect(faultOf(await app.sessionFiles.saveViews(["Storm"], path))).toContain("does not exist");
    expect(existsSync(join(anna.world.folder, "mistyped"))).toBe(false);
  });

  it("leaves nothing of a killed program: the next start deletes it", async () => {
    const anna = await annas();
    await anna.window.app.close();
    const gone = spawn(process.execPath, ["--version"]);
    await new Promise((resolve) => gone.once("close", resolve));
    const [ofKilled, ofLiving] = [gone.pid!, process.ppid].map((pid) => temporaryName().replace(/-\d+/, `-${pid}`));
    // Half of a session file that was written, and of one that was opened, when the program was killed.
    const opened = "cache-9.db.unfinished";
    for (const name of [ofKilled!, ofLiving!, opened]) writeFileSync(join(anna.world.folder, name), "half of it");
    const users = openUserStore(join(anna.world.folder, "user.db"));
    const [record] = users.connections();
    const moving = { from: join(anna.world.folder, "cache-9.db"), to: join(anna.world.folder, "cache-9.db") };
    users.putConnection({ ...record!, id: "9", name: "From Anna", kind: "file", cacheFile: "cache-9.db", moving });
    users.close();
    const { bridge } = anna.world.open();
    const left = readdirSync(anna.world.folder).filter(
      (name) => name.includes(".zenith") || name.startsWith("cache-9."),
    );
    expect(left).toEqual([ofLiving]);
    expect(valueOf(await bridge.connections.list({})).map(({ name }) => name)).not.toContain("From Anna");
  });

  itNightly("names opened files that belong to its views, and are not in it", async () => {
    const anna = await annas();
    const { app, bridge } = anna.window;
    const path = join(anna.world.folder, "radiosonde.csv");
    writeFileSync(path, "time,ztd\n2026-09-01T00:00:00Z,2400\n2026-09-01T01:00:00Z,2401\n");
    const [grant] = await app.files.grant([{ path, name: "radiosonde.csv" }]);
    const file = valueOf(await bridge.files.open({ grantId: grant!.grantId }));
    const view = { ...anna.view, workspace: { ...anna.view.workspace, panes: { "files.shown": [`${file.id}:0`] } } };
    valueOf(await bridge.views.save({ views: [view] }));
    const shared = await shareViews(anna);
    expect(shared.withoutFiles).toEqual(["radiosonde.csv"]);
    const bob = (await openWorld()).open();
    expect(valueOf(await openFile(bob, shared.path)).withoutFiles).toEqual(["radiosonde.csv"]);
  });

  it("can be cancelled without leaving a file", async () => {
    const anna = await annas();
    const { window, connectionId, world } = anna;
    const stop = new AbortController();
    const input = {
      connectionId,
      names: ["Storm"],
      also: null,
      satellites: true,
      author: null,
      tellsAddress: false,
      destination: { kind: "download", name: "s.zenith" },
      workId: "w",
    } as const;
    const running = window.bridge.views.writeFile(input, { signal: stop.signal });
    stop.abort();
    expect(await running).toMatchObject({ ok: false, error: { kind: "cancelled" } });
    await expect.poll(() => readdirSync(join(world.folder, "exports"))).toEqual([]);
    const path = join(world.folder, "never-chosen.zenith");
    const refused = await window.bridge.views.writeFile({ ...input, destination: { kind: "file", path } });
    expect(faultOf(refused)).toContain("in the system");
  });
});
