import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { ExportDestination, ExportTask } from "#shared/bridge/methods/export.ts";
import type { SavedExport } from "#shared/file/savedExport.ts";
import { ASKED, KEPT, NATIVE, ONE } from "../fixture.ts";
import { type Cases, connectService, faultOf, smallSpec, valueOf, type World } from "./case.ts";

const request = {
  stationIds: [ONE],
  variables: ["ztd" as const],
  range: ASKED,
  ...NATIVE,
  resampled: false,
  format: "csv" as const,
  heightReference: "WGS84_ELLIPSOID" as const,
};

const saved = (name: string, change: Partial<SavedExport> = {}): SavedExport => ({
  ...request,
  name,
  connectionId: KEPT,
  range: { kind: "fixed", range: ASKED },
  template: "{name}_{stations}_{start}.{ext}",
  ...change,
});

export const exportCases: Cases<`${"export" | "cache"}.${string}`> = {
  async "export.estimate"({ bridge }) {
    const forecast = valueOf(await bridge.export.estimate({ connectionId: KEPT, request }));
    expect(forecast).toMatchObject({ rows: 5_639, incompleteStationIds: [] });
    expect(forecast.fileNames[0]).toBe(forecast.suggestedName);
    const named = await bridge.export.estimate({ connectionId: KEPT, request, template: "{connection}-{start}" });
    expect(valueOf(named).fileNames).toEqual(["Kept-2026-01-10.csv", "Kept-2026-01-10.csv.json"]);
    const wrong = await bridge.export.estimate({ connectionId: KEPT, request, template: "{station}" });
    expect(faultOf(wrong)).toMatchObject({ kind: "usage", message: expect.stringContaining("no field {station}") });
  },
  async "export.start"(world) {
    const task = await exported(world, "started");
    expect(task).toMatchObject({ state: "finished", rowsDone: 5_639, report: { rows: 5_639 } });
    expect(existsSync(task.report!.files[0]!.path)).toBe(true);
  },
  async "export.list"(world) {
    const task = await exported(world, "listed");
    expect(valueOf(await world.bridge.export.list({}))[0]).toMatchObject({ id: task.id });
  },
  async "export.cancel"(world) {
    const { task, outFolder } = await started(world, "cancelled");
    valueOf(await world.bridge.export.cancel({ exportId: task.id }));
    const { state } = await ended(world, task.id);
    expect(["cancelled", "finished"]).toContain(state);
    const files = existsSync(outFolder) ? readdirSync(outFolder) : [];
    expect(files.length > 0).toBe(state === "finished");
  },
  async "export.retry"(world) {
    const { task } = await started(world, "retried");
    valueOf(await world.bridge.export.cancel({ exportId: task.id }));
    valueOf(await world.bridge.export.retry({ exportId: task.id }));
    expect(await ended(world, task.id)).toMatchObject({ id: task.id, state: "finished", report: { rows: 5_639 } });
    expect(faultOf(await world.bridge.export.retry({ exportId: "none" })).kind).toBe("usage");
  },
  async "export.remove"(world) {
    const task = await exported(world, "removed");
    valueOf(await world.bridge.export.remove({ exportId: task.id }));
    expect(valueOf(await world.bridge.export.list({})).map((t) => t.id)).not.toContain(task.id);
  },
  async "export.saved"({ bridge }) {
    for (const name of ["Every 10", "Every 9"]) valueOf(await bridge.export.save({ saved: saved(name) }));
    const all = valueOf(await bridge.export.saved({})).filter((s) => s.name.startsWith("Every"));
    expect(all.map((s) => s.name)).toEqual(["Every 9", "Every 10"]);
    expect(all[0]).toMatchObject({
      ...saved("Every 9"),
      command: expect.stringContaining('--repeat "Every 9" --fetch'),
    });
  },
  async "export.save"({ bridge }) {
    const changed = new Promise((resolve) => bridge.on("savedExportsChanged", resolve));
    expect(valueOf(await bridge.export.save({ saved: saved("Twice") }))).toBeNull();
    await changed;
    const second = saved("Twice", { range: { kind: "relative", period: "yesterday" }, format: "netcdf" });
    expect(valueOf(await bridge.export.save({ saved: second }))).toEqual(saved("Twice"));
    for (const name of ["", 'a "quoted" one', "$HOME", "-rf", "50%", "a\nb", "x".repeat(61)])
      expect(faultOf(await bridge.export.save({ saved: saved(name) })).kind).toBe("usage");
    const wild = [saved("Wild", { template: "../{stations}" }), saved("Wild", { connectionId: "no such" })];
    for (const one of wild) expect(faultOf(await bridge.export.save({ saved: one })).kind).toBe("usage");
  },
  async "export.edit"({ bridge }) {
    for (const name of ["Old", "Taken"]) valueOf(await bridge.export.save({ saved: saved(name) }));
    const edit = (name: string, to: SavedExport) => bridge.export.edit({ before: saved(name), saved: to });
    expect(faultOf(await edit("Old", saved("Taken"))).kind).toBe("usage");
    expect(faultOf(await edit("No such", saved("New"))).kind).toBe("usage");
    // Two windows edit it at the same time: one its format, the other its name and its figure.
    const inOne = saved("Old", { format: "netcdf", layout: "ragged" });
    expect(valueOf(await edit("Old", inOne))).toEqual({ saved: inOne, replaced: saved("Old") });
    const both = { ...inOne, name: "New", figure: true };
    expect(valueOf(await edit("Old", saved("New", { figure: true })))).toEqual({ saved: both, replaced: inOne });
    const all = valueOf(await bridge.export.saved({}));
    expect(all).toContainEqual(expect.objectContaining(both));
    expect(all.map((s) => s.name)).not.toContain("Old");
    // Undo restores the name too, unless another window has changed the export in the meantime.
    const undo = () => bridge.export.save({ saved: inOne, replaces: both });
    expect(valueOf(await undo())).toEqual(both);
    expect(faultOf(await undo()).message).toContain("“New”");
    const csv = saved("Old", { format: "csv" });
    const withoutLayout = valueOf(await bridge.export.edit({ before: inOne, saved: csv })).saved;
    expect(withoutLayout.layout).toBeUndefined();
    expect(faultOf(await bridge.export.save({ saved: saved("Old"), replaces: inOne })).message).toContain("“Old”");
  },
  async "export.removeSaved"({ bridge }) {
    valueOf(await bridge.export.save({ saved: saved("Gone") }));
    valueOf(await bridge.export.removeSaved({ name: "Gone" }));
    // Undo, twice: the second one finds an export of this name.
    const undo = () => bridge.export.save({ saved: saved("Gone"), replaces: null });
    expect(valueOf(await undo())).toBeNull();
    expect(faultOf(await undo()).message).toContain("“Gone”");
    valueOf(await bridge.export.removeSaved({ name: "Gone" }));
    expect(valueOf(await bridge.export.saved({})).map((s) => s.name)).not.toContain("Gone");
  },
  async "export.repeat"(world) {
    const { bridge } = world;
    const connectionId = await connectService(world);
    const { stationIds, variables, range } = smallSpec(world, 20);
    const fixed = { kind: "fixed", range } as const;
    const one = saved("Repeated", { connectionId, stationIds, variables, range: fixed, figure: true });
    valueOf(await bridge.export.save({ saved: one }));
    const { destination } = await placeFor(world, "repeated");
    const task = valueOf(await bridge.export.repeat({ name: "Repeated", destination }));
    const { report, state, figure } = await ended(world, task.id);
    expect(state).toBe("finished");
    const first = report!.files[0]!.path;
    // The core draws the figure, whatever becomes of the window.
    expect(valueOf(figure!).path).toBe(first.replace(/csv$/, "pdf"));
    expect(readFileSync(valueOf(figure!).path).subarray(0, 4).toString("latin1")).toBe("%PDF");
    // Nothing was cached, so it was downloaded first.
    expect(report?.rows).toBeGreaterThan(200);
    if (destination.kind === "file") {
      // A figure from elsewhere is not replaced beside a new file.
      rmSync(first);
      const again = valueOf(await bridge.export.repeat({ name: "Repeated", destination }));
      expect(faultOf((await ended(world, again.id)).figure!).message).toContain("exists already");
    }
    expect(faultOf(await bridge.export.repeat({ name: "No such", destination }))).toMatchObject({
      kind: "usage",
      message: expect.stringContaining("“Repeated”"),
    });
  },
  async "cache.statistics"({ bridge, folder }) {
    const found = valueOf(await bridge.cache.statistics({ connectionId: KEPT }));
    expect(found).toMatchObject({ stations: 1, path: join(folder, "cache-kept.db") });
    expect(found.rows).toBeGreaterThan(5_000);
  },
  async "cache.forget"({ bridge }) {
    // Downloads of other cases may still change the caches of their connections.
    const changed = new Promise((resolve) =>
      bridge.on("cacheChanged", (change) => {
        if (change.connectionId === KEPT) resolve(change);
      }),
    );
    const stationIds = ["no such station"];
    expect(valueOf(await bridge.cache.forget({ connectionId: KEPT, stationIds, range: null })).rows).toBe(0);
    expect(await changed).toEqual({ connectionId: KEPT, stationIds });
  },
  async "cache.check"({ bridge }) {
    const changed = new Promise<string>((resolve) => bridge.on("workProgress", ({ workId }) => resolve(workId)));
    const checked = await bridge.cache.check({ connectionId: KEPT, workId: "checking" });
    expect(valueOf(checked)).toEqual({ findings: { damages: [], structure: null } });
    expect(await changed).toBe("checking");
  },
  async "cache.compact"({ bridge }) {
    const changed = new Promise<string>((resolve) => bridge.on("workProgress", ({ workId }) => resolve(workId)));
    const { fileBytes, isStopped } = valueOf(await bridge.cache.compact({ connectionId: KEPT, workId: "compacting" }));
    expect(fileBytes).toBeGreaterThan(0);
    expect(isStopped).toBe(false);
    expect(await changed).toBe("compacting");
  },
};

interface Place {
  readonly destination: ExportDestination;
  /** Null if it depends on the task. */
  readonly outFolder: string | null;
}

/** A file without a desktop; a download with a desktop without dialogs. */
async function placeFor({ bridge, folder }: World, name: string): Promise<Place> {
  const { shell } = valueOf(await bridge.system.capabilities({}));
  if (shell !== "test") return { destination: { kind: "download" }, outFolder: null };
  const outFolder = join(folder, "out", name);
  mkdirSync(outFolder, { recursive: true });
  return { destination: { kind: "file", path: join(outFolder, `${name}.csv`) }, outFolder };
}

async function started(world: World, name: string): Promise<{ task: ExportTask; outFolder: string }> {
  const { destination, outFolder } = await placeFor(world, name);
  const task = valueOf(await world.bridge.export.start({ connectionId: KEPT, request, destination }));
  return { task, outFolder: outFolder ?? join(world.folder, "exports", task.id) };
}

async function exported(world: World, name: string): Promise<ExportTask> {
  const { task } = await started(world, name);
  return ended(world, task.id);
}

async function ended({ bridge }: World, exportId: string): Promise<ExportTask> {
  return new Promise((resolve, reject) => {
    const look = (task: ExportTask | undefined): void => {
      if (!task || task.id !== exportId || task.state === "running") return;
      stop();
      resolve(task);
    };
    const stop = bridge.on("exportChanged", look);
    bridge.export.list({}).then((result) => look(valueOf(result).find((task) => task.id === exportId)), reject);
  });
}
