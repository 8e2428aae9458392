import { expect } from "vitest";
import { type Cases, faultOf, valueOf } from "./case.ts";

const RANGE = { startMs: 0, endMs: 1_000 };

// A page cannot open files by itself: grants come from a shell, and the tests of shells open files.
export const fileCases: Cases<`files.${string}`> = {
  async "files.choose"({ bridge }) {
    if (valueOf(await bridge.system.capabilities({})).openFiles === "dialog") return;
    expect(faultOf(await bridge.files.choose({})).kind).toBe("usage");
  },
  async "files.takeOffered"({ bridge }) {
    expect(valueOf(await bridge.files.takeOffered({}))).toEqual([]);
  },
  async "files.open"({ bridge }) {
    for (const grantId of ["/etc/passwd", "../user.db", "no-such-grant"])
      expect(faultOf(await bridge.files.open({ grantId })).kind).toBe("usage");
    const path = { path: "/etc/passwd" } as unknown as { grantId: string };
    expect(faultOf(await bridge.files.open(path)).message).toContain("grantId");
  },
  async "files.recent"({ bridge }) {
    expect(valueOf(await bridge.files.recent({}))).toEqual([]);
  },
  async "files.openRecent"({ bridge }) {
    for (const recentId of ["/etc/passwd", "never opened"])
      expect(faultOf(await bridge.files.openRecent({ recentId })).kind).toBe("usage");
  },
  async "files.clearRecent"({ bridge }) {
    expect(valueOf(await bridge.files.clearRecent({}))).toBeNull();
  },
  async "files.chooseColumns"({ bridge }) {
    const columns = { columns: [{ column: 0, role: "time" as const, unit: null }], noValue: null };
    expect(faultOf(await bridge.files.chooseColumns({ fileId: "never opened", columns })).kind).toBe("usage");
  },
  async "files.list"({ bridge }) {
    expect(valueOf(await bridge.files.list({}))).toEqual([]);
  },
  async "files.close"({ bridge }) {
    expect(valueOf(await bridge.files.close({ fileId: "never opened" }))).toBeNull();
  },
  async "files.window"({ bridge }) {
    const query = { fileId: "never opened", seriesIds: ["0"], range: RANGE, columns: 10, mostRows: 10 };
    expect(faultOf(await bridge.files.window(query)).kind).toBe("usage");
  },
  async "files.page"({ bridge }) {
    const query = { fileId: "never opened", seriesIds: ["0"], range: null, offset: 0, limit: 10 };
    expect(faultOf(await bridge.files.page(query)).kind).toBe("usage");
  },
  async "files.rowOrder"({ bridge }) {
    const order = { sort: { by: null, isDescending: true }, filter: null };
    const query = { fileId: "never opened", seriesIds: ["0"], range: { startMs: 0, endMs: 1 }, ...order };
    expect(faultOf(await bridge.files.rowOrder(query)).kind).toBe("usage");
  },
  async "files.rowsAt"({ bridge }) {
    const query = { fileId: "never opened", seriesIds: ["0"], rows: [0] };
    expect(faultOf(await bridge.files.rowsAt(query)).kind).toBe("usage");
  },
};
