import { expect } from "vitest";
import { HOUR_MS } from "#shared/time/utc.ts";
import { KEPT, ONE, READ_NATIVE, START_MS } from "../fixture.ts";
import { type Cases, faultOf, valueOf } from "./case.ts";

// Files are opened by a shell: the tests of the window compare with one.
const query = {
  connectionId: KEPT,
  fileIdA: null,
  b: { kind: "file" as const, fileId: "never opened" },
  stationIds: [ONE],
  variable: "ztd" as const,
  range: { startMs: START_MS, endMs: START_MS + HOUR_MS },
  mode: READ_NATIVE,
  pairing: { kind: "mean" as const, intervalMs: HOUR_MS },
  rejectSigmas: 5,
  height: "none" as const,
  withinKm: 1,
  pressure: null,
  grid: "bilinear" as const,
};

export const productCases: Cases<`products.${string}`> = {
  async "products.compare"({ bridge }) {
    expect(faultOf(await bridge.products.compare({ ...query, columns: 10 })).message).toContain("no longer open");
    const twoFiles = { ...query, fileIdA: "never opened", stationIds: [], columns: 10 };
    expect(faultOf(await bridge.products.compare(twoFiles)).message).toContain("no longer open");
    const gone = { kind: "connection", connectionId: "never kept" } as const;
    expect(faultOf(await bridge.products.compare({ ...query, b: gone, columns: 10 })).kind).toBe("usage");
    const itself = { kind: "connection", connectionId: KEPT } as const;
    const same = valueOf(await bridge.products.compare({ ...query, b: itself, columns: 10 }));
    expect(same.sites[0]).toMatchObject({ match: { by: "id" }, statistics: { biasMm: 0 } });
    const pairing = { kind: "mean", intervalMs: 0 } as const;
    expect(faultOf(await bridge.products.compare({ ...query, pairing, columns: 10 })).message).toContain("pairing");
  },
  async "products.report"({ bridge }) {
    expect(faultOf(await bridge.products.report({ ...query, groupings: ["hour"] })).kind).toBe("usage");
  },
  async "products.match"({ bridge }) {
    expect(faultOf(await bridge.products.match({ ...query, stationId: ONE, siteId: null })).kind).toBe("usage");
  },
};
