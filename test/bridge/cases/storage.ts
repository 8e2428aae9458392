import { copyFileSync, existsSync, rmSync, statSync } from "node:fs";
import { basename } from "node:path";
import { expect } from "vitest";
import type { ViewWorkspace } from "#shared/views/view.ts";
import { ASKED, HOSTILE_NAME, KEPT, ONE } from "../fixture.ts";
import { type Cases, faultOf, valueOf } from "./case.ts";

const WORKSPACE: ViewWorkspace = {
  stationIds: [ONE],
  slots: { [ONE]: 3 },
  range: ASKED,
  moving: { start: "2026-09-01", end: "now" },
  variables: ["ztd"],
  intervalSeconds: 900,
  raw: false,
  resampled: true,
  showSigma: false,
  view: "series",
  panes: { "series.y": { ztd: [2_300, 2_500] } },
};

const view = (name: string, connectionId: string | null = KEPT) => ({
  name,
  connectionId,
  savedAtMs: ASKED.endMs,
  workspace: WORKSPACE,
});

type Aside = "rebuild" | "repair" | "quarantine" | "adoptQuarantined" | "deleteQuarantined";
type More = "stations" | "pin" | "maximumSize" | "setMaximumSize" | "move" | "stopWork" | Aside;

export const storageCases: Cases<`cache.${More}` | `views.${string}`> = {
  async "cache.stations"({ bridge }) {
    const [one, ...others] = valueOf(await bridge.cache.stations({ connectionId: KEPT }));
    expect(others).toEqual([]);
    expect(one).toMatchObject({ stationId: ONE, isPinned: false, asked: ASKED });
    expect(Object.keys(one?.bytes ?? {}).toSorted()).toEqual(["az", "el", "prn", "pwv", "snr", "ztd"]);
  },
  async "cache.pin"({ bridge }) {
    const pinned = async () => valueOf(await bridge.cache.stations({ connectionId: KEPT })).map((s) => s.isPinned);
    valueOf(await bridge.cache.pin({ connectionId: KEPT, stationIds: [ONE], isPinned: true }));
    expect(await pinned()).toEqual([true]);
    valueOf(await bridge.cache.pin({ connectionId: KEPT, stationIds: [ONE], isPinned: false }));
    expect(await pinned()).toEqual([false]);
  },
  async "cache.maximumSize"({ bridge }) {
    const found = valueOf(await bridge.cache.maximumSize({ connectionId: KEPT }));
    expect(found).toMatchObject({ maximumBytes: null, last: null });
    expect(found.usedBytes).toBeGreaterThan(10_000);
  },
  async "cache.setMaximumSize"({ bridge }) {
    const bytes = 500_000_000;
    expect(valueOf(await bridge.cache.setMaximumSize({ connectionId: KEPT, bytes })).maximumBytes).toBe(bytes);
    expect(faultOf(await bridge.cache.setMaximumSize({ connectionId: KEPT, bytes: 1 })).kind).toBe("usage");
    expect(valueOf(await bridge.cache.setMaximumSize({ connectionId: KEPT, bytes: null })).maximumBytes).toBeNull();
  },
  async "cache.move"({ bridge }) {
    expect(faultOf(await bridge.cache.move({ connectionId: KEPT, path: "not/chosen.db" })).kind).toBe("usage");
  },
  async "cache.stopWork"({ bridge }) {
    expect(valueOf(await bridge.cache.stopWork({ workId: "never begun" }))).toBeNull();
  },
  async "cache.rebuild"({ bridge }) {
    // Without damage, nothing changes.
    const sizes = async () => valueOf(await bridge.cache.stations({ connectionId: KEPT })).length;
    const before = await sizes();
    expect(valueOf(await bridge.cache.rebuild({ connectionId: KEPT }))).toEqual({
      quarantinedPath: null,
      rows: 0,
      lostRows: 0,
    });
    expect(await sizes()).toBe(before);
  },
  async "cache.repair"({ bridge }) {
    const before = valueOf(await bridge.cache.stations({ connectionId: KEPT }));
    expect(valueOf(await bridge.cache.repair({ connectionId: KEPT }))).toEqual({
      findings: { damages: [], structure: null },
      rebuilt: null,
    });
    expect(valueOf(await bridge.cache.stations({ connectionId: KEPT }))).toEqual(before);
  },
  async "cache.quarantine"({ bridge }) {
    const { path } = valueOf(await bridge.cache.statistics({ connectionId: KEPT }));
    expect(valueOf(await bridge.cache.quarantine({ connectionId: KEPT }))).toEqual([]);
    const aside = `${path}.damaged-2026-10-05T06-07-08-009Z`;
    copyFileSync(path, aside);
    try {
      expect(valueOf(await bridge.cache.quarantine({ connectionId: KEPT }))).toMatchObject([
        { path: aside, bytes: statSync(aside).size, atMs: Date.UTC(2026, 9, 5, 6, 7, 8, 9) },
      ]);
    } finally {
      rmSync(aside);
    }
  },
  async "cache.adoptQuarantined"({ bridge }) {
    const { path } = valueOf(await bridge.cache.statistics({ connectionId: KEPT }));
    const aside = `${path}.damaged-2026-10-05T06-07-08-010Z`;
    const name = basename(aside);
    copyFileSync(path, aside);
    try {
      // Its sound rows are all in the cache already.
      const adopted = valueOf(await bridge.cache.adoptQuarantined({ connectionId: KEPT, name }));
      expect(adopted).toMatchObject({ quarantinedPath: aside, rows: 0 });
      expect(faultOf(await bridge.cache.adoptQuarantined({ connectionId: KEPT, name: "../user.db" })).kind).toBe(
        "usage",
      );
    } finally {
      for (const suffix of ["", "-wal", "-shm"]) rmSync(aside + suffix, { force: true });
    }
  },
  async "cache.deleteQuarantined"({ bridge }) {
    const { path } = valueOf(await bridge.cache.statistics({ connectionId: KEPT }));
    const aside = `${path}.damaged-2026-10-05T06-07-08-011Z`;
    copyFileSync(path, aside);
    valueOf(await bridge.cache.deleteQuarantined({ connectionId: KEPT, name: basename(aside) }));
    expect(existsSync(aside)).toBe(false);
    expect(faultOf(await bridge.cache.deleteQuarantined({ connectionId: KEPT, name: basename(path) })).kind).toBe(
      "usage",
    );
    expect(existsSync(path)).toBe(true);
  },
  async "views.damaged"({ bridge }) {
    expect(valueOf(await bridge.views.damaged({}))).toEqual([]);
  },
  async "views.estimateFile"({ bridge }) {
    const selection = {
      connectionId: KEPT,
      names: [],
      also: { stationIds: [ONE], range: ASKED, workspace: null },
      satellites: true,
    };
    const all = valueOf(await bridge.views.estimateFile(selection));
    expect(all).toMatchObject({ stations: 1, hasData: true });
    const fewer = valueOf(await bridge.views.estimateFile({ ...selection, satellites: false }));
    expect(fewer.bytes).toBeLessThan(all.bytes);
    expect(faultOf(await bridge.views.estimateFile({ ...selection, names: ["No such view"] })).kind).toBe("usage");
  },
  async "views.writeFile"({ bridge }) {
    valueOf(await bridge.views.save({ views: [view("Shared")] }));
    const reported = new Promise<string>((resolve) => bridge.on("workProgress", ({ workId }) => resolve(workId)));
    const input = {
      connectionId: KEPT,
      names: ["Shared"],
      also: { stationIds: [ONE], range: ASKED, workspace: null },
      satellites: false,
      author: "Anna",
      tellsAddress: false,
      destination: { kind: "download", name: "a/b.zenith" },
      workId: "sharing",
    } as const;
    const written = valueOf(await bridge.views.writeFile(input));
    expect(written).toMatchObject({ stations: 1, views: 2 });
    expect(written.bytes).toBeGreaterThan(5_000);
    expect(await reported).toBe("sharing");
    const path = "/never/chosen.zenith";
    expect(faultOf(await bridge.views.writeFile({ ...input, destination: { kind: "file", path } })).kind).toBe("usage");
  },
  async "views.writtenFiles"({ bridge }) {
    for (const { name, href } of valueOf(await bridge.views.writtenFiles({}))) expect(href).toContain(name);
  },
  async "views.openFile"({ bridge }) {
    expect(faultOf(await bridge.views.openFile({ grantId: "no such grant", workId: "w" })).kind).toBe("usage");
  },
  async "views.list"({ bridge }) {
    const [before] = [valueOf(await bridge.views.list({})).length];
    valueOf(await bridge.views.save({ views: [view("List 10"), view("List 9")] }));
    const names = valueOf(await bridge.views.list({})).map((v) => v.name);
    expect(names).toHaveLength(before + 2);
    expect(names.filter((n) => n.startsWith("List"))).toEqual(["List 9", "List 10"]);
  },
  async "views.save"({ bridge }) {
    const reported = new Promise((resolve) => bridge.on("viewsChanged", resolve));
    const first = view(HOSTILE_NAME);
    expect(valueOf(await bridge.views.save({ views: [first] }))).toEqual([]);
    await reported;
    const second = { ...view(HOSTILE_NAME, null), workspace: { ...WORKSPACE, raw: true } };
    expect(valueOf(await bridge.views.save({ views: [second] }))).toEqual([first]);
    expect(valueOf(await bridge.views.list({}))).toContainEqual(second);
    // Undo of a window that saved `first`, after another one saved `second`.
    const undo = await bridge.views.save({ views: [{ ...first, savedAtMs: 1 }], replaces: [first] });
    expect(faultOf(undo)).toMatchObject({ kind: "usage", message: expect.stringContaining(HOSTILE_NAME) });
    expect(faultOf(await bridge.views.save({ views: [first], replaces: [] })).kind).toBe("usage");
    expect(valueOf(await bridge.views.list({}))).toContainEqual(second);
    valueOf(await bridge.views.save({ views: [first], replaces: [second] }));
    const wild = { ...first, workspace: { ...WORKSPACE, range: { startMs: 0, endMs: 1e300 } } };
    expect(faultOf(await bridge.views.save({ views: [wild] })).kind).toBe("usage");
  },
  async "views.rename"({ bridge }) {
    valueOf(await bridge.views.save({ views: [view("Old name"), view("Taken")] }));
    expect(faultOf(await bridge.views.rename({ name: "Old name", to: "Taken" })).kind).toBe("usage");
    expect(faultOf(await bridge.views.rename({ name: "No such", to: "New" })).kind).toBe("usage");
    valueOf(await bridge.views.rename({ name: "Old name", to: "New name" }));
    const all = valueOf(await bridge.views.list({}));
    expect(all).toContainEqual(view("New name"));
    expect(all.map((v) => v.name)).not.toContain("Old name");
  },
  async "views.delete"({ bridge }) {
    valueOf(await bridge.views.save({ views: [view("Gone")] }));
    valueOf(await bridge.views.delete({ name: "Gone" }));
    expect(valueOf(await bridge.views.list({})).map((v) => v.name)).not.toContain("Gone");
  },
};
