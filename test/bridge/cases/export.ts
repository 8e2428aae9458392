import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { ExportTask } from "#shared/bridge/export.ts";
import { ASKED, KEPT, NATIVE, ONE } from "../fixture.ts";
import { type Cases, valueOf, type World } from "./case.ts";

const request = {
  stationIds: [ONE],
  variables: ["ztd" as const],
  range: ASKED,
  ...NATIVE,
  resampled: false,
  format: "csv" as const,
  heightReference: "WGS84_ELLIPSOID" as const,
};

export const exportCases: Cases<`${"export" | "cache"}.${string}`> = {
  async "export.foresee"({ bridge }) {
    const forecast = valueOf(await bridge.export.foresee({ connectionId: KEPT, request }));
    expect(forecast).toMatchObject({ rows: 5_640, incompleteStationIds: [] });
    expect(forecast.fileNames[0]).toBe(forecast.suggestedName);
  },
  async "export.start"(world) {
    const task = await exported(world, "started");
    expect(task).toMatchObject({ state: "finished", rowsDone: 5_640, report: { rows: 5_640 } });
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
  async "export.remove"(world) {
    const task = await exported(world, "removed");
    valueOf(await world.bridge.export.remove({ exportId: task.id }));
    expect(valueOf(await world.bridge.export.list({})).map((t) => t.id)).not.toContain(task.id);
  },
  async "cache.statistics"({ bridge, folder }) {
    const found = valueOf(await bridge.cache.statistics({ connectionId: KEPT }));
    expect(found).toMatchObject({ stations: 1, path: join(folder, "cache-kept.db") });
    expect(found.rows).toBeGreaterThan(5_000);
  },
  async "cache.forget"({ bridge }) {
    const told = new Promise((resolve) => bridge.on("cacheChanged", resolve));
    const stationIds = ["no such station"];
    expect(valueOf(await bridge.cache.forget({ connectionId: KEPT, stationIds, range: null })).rows).toBe(0);
    expect(await told).toEqual({ connectionId: KEPT, stationIds });
  },
  async "cache.check"({ bridge }) {
    expect(valueOf(await bridge.cache.check({ connectionId: KEPT }))).toEqual({ damage: null });
  },
  async "cache.compact"({ bridge }) {
    expect(valueOf(await bridge.cache.compact({ connectionId: KEPT })).fileBytes).toBeGreaterThan(0);
  },
};

/** Into a file of its own choice where there is no desktop; where there is one that has no dialogs, for download. */
async function started({ bridge, folder }: World, name: string): Promise<{ task: ExportTask; outFolder: string }> {
  const { shell } = valueOf(await bridge.system.capabilities({}));
  const outFolder = join(folder, "out", name);
  mkdirSync(outFolder, { recursive: true });
  const destination =
    shell === "test" ? { kind: "file" as const, path: join(outFolder, `${name}.csv`) } : { kind: "download" as const };
  const task = valueOf(await bridge.export.start({ connectionId: KEPT, request, destination }));
  return { task, outFolder: shell === "test" ? outFolder : join(folder, "exports", task.id) };
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
    bridge.export.list({}).then((answer) => look(valueOf(answer).find((task) => task.id === exportId)), reject);
  });
}
