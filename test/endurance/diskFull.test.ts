import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { openApp } from "../bridge/app.ts";
import { dump } from "../support/dump.ts";
import { UNSEEN } from "../support/pace.ts";
import { CONNECTION, daysOf, NATIVE, SCALARS, STATIONS } from "./maintenanceFixture.ts";
import { prepare } from "./maintenanceFolder.ts";
import { mountSmallDisk } from "./smallDisk.ts";

const root = mkdtempSync(join(tmpdir(), "zenith-full-"));
const disk = join(root, "disk");
const unmount = mountSmallDisk(disk, 1);

describe("a full disk", () => {
  afterAll(() => {
    unmount?.();
    rmSync(root, { recursive: true, force: true });
  });

  it("during a move leaves the cache in its place, and no file on the disk", async ({ skip }) => {
    if (unmount === null) return skip("no small disk can be mounted here");
    const folder = join(root, "data");
    mkdirSync(folder);
    // Larger than the disk.
    const range = daysOf(20);
    prepare(folder, range);
    const app = openApp(folder);
    try {
      const connection = await app.connections.open(app.connections.find(CONNECTION)!);
      const { cache } = connection;
      expect(statSync(cache.path).size).toBeGreaterThan(1_500_000);
      const series = { stationIds: STATIONS, variables: SCALARS, range, ...NATIVE };
      const before = dump(cache, series);
      await expect(app.cacheMaintenance.move(connection, join(disk, "moved.db"), UNSEEN)).rejects.toThrow(
        /disk is full: free some space.*Nothing that was stored is lost/,
      );
      expect(readdirSync(disk)).toEqual([]);
      expect(dump(cache, series)).toEqual(before);
      const elsewhere = join(root, "other", "moved.db");
      expect(await app.cacheMaintenance.move(connection, elsewhere, UNSEEN)).toMatchObject({ ok: true });
      const moved = await app.connections.open(app.connections.find(CONNECTION)!);
      expect(moved.cache.path).toBe(elsewhere);
      expect(dump(moved.cache, series)).toEqual(before);
    } finally {
      await app.close();
    }
  });
});
