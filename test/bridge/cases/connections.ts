import { rmSync } from "node:fs";
import { join } from "node:path";
import { writeOwner } from "#main/app/connections/adopt.ts";
import { openCache } from "#main/store/index.ts";
import { expect } from "vitest";
import { KEY } from "../../support/desk.ts";
import { KEPT } from "../fixture.ts";
import { type Cases, connectService, faultOf, valueOf, type World } from "./case.ts";

export const connectionCases: Cases<`connections.${string}`> = {
  async "connections.list"({ bridge }) {
    const all = valueOf(await bridge.connections.list({}));
    expect(all).toContainEqual(expect.objectContaining({ id: KEPT, name: "Kept", kind: "service", hasKey: false }));
  },
  async "connections.test"({ bridge, service }) {
    const result = await bridge.connections.test({ baseUrl: service.url, apiKey: KEY });
    expect(valueOf(result).stations).toBe(service.world.stations.length);
    expect(faultOf(await bridge.connections.test({ baseUrl: service.url, apiKey: "wrong" })).kind).toBe("key");
  },
  async "connections.add"(world) {
    const { bridge } = world;
    const changed = new Promise((resolve) => bridge.on("connectionsChanged", resolve));
    const id = await add(world, "Added");
    await changed;
    const found = valueOf(await bridge.connections.list({})).find((c) => c.id === id);
    expect(found).toMatchObject({ name: "Added", hasKey: true });
    valueOf(await bridge.connections.remove({ connectionId: id }));
  },
  async "connections.setKey"(world) {
    const connectionId = await add(world, "Renewed");
    const result = await world.bridge.connections.setKey({ connectionId, apiKey: KEY, remember: false });
    expect(valueOf(result)).toMatchObject({ id: connectionId, hasKey: true });
    valueOf(await world.bridge.connections.remove({ connectionId }));
  },
  async "connections.rename"(world) {
    const connectionId = await add(world, "Before");
    const result = await world.bridge.connections.rename({ connectionId, name: "After" });
    expect(valueOf(result)).toMatchObject({ id: connectionId, name: "After" });
    valueOf(await world.bridge.connections.remove({ connectionId }));
  },
  async "connections.settling"(world) {
    const connectionId = await add(world, "Settling");
    const { bridge } = world;
    expect(valueOf(await bridge.connections.settling({ connectionId })).hours).toBe(48);
    valueOf(await bridge.connections.setSettling({ connectionId, hours: 6 }));
    expect(valueOf(await bridge.connections.settling({ connectionId })).hours).toBe(6);
    valueOf(await bridge.connections.remove({ connectionId }));
  },
  async "connections.setSettling"(world) {
    const connectionId = await add(world, "Settling refused");
    const { bridge } = world;
    expect(faultOf(await bridge.connections.setSettling({ connectionId, hours: -1 })).kind).toBe("usage");
    valueOf(await bridge.connections.remove({ connectionId }));
  },
  async "connections.remove"(world) {
    const connectionId = await add(world, "Removed");
    expect(valueOf(await world.bridge.connections.remove({ connectionId }))).toBeNull();
    const left = valueOf(await world.bridge.connections.list({}));
    expect(left.map((c) => c.id)).not.toContain(connectionId);
  },
  async "connections.orphans"({ bridge, folder }) {
    await withOrphan(folder, async (path) => {
      expect(valueOf(await bridge.connections.orphans({}))).toMatchObject([{ path, name: "Lost", baseUrl: LOST_URL }]);
    });
    expect(valueOf(await bridge.connections.orphans({}))).toEqual([]);
  },
  async "connections.adopt"({ bridge, folder }) {
    await withOrphan(folder, async (path) => {
      const elsewhere = await bridge.connections.adopt({ path, baseUrl: "https://other.example.org" });
      expect(faultOf(elsewhere).message).toContain("data of two services do not mix");
      expect(faultOf(await bridge.connections.adopt({ path, name: "Kept" })).message).toContain("another name");
      const info = valueOf(await bridge.connections.adopt({ path }));
      expect(info).toMatchObject({ id: "lost", name: "Lost", baseUrl: LOST_URL, hasKey: false });
      expect(faultOf(await bridge.connections.adopt({ path })).kind).toBe("usage");
      valueOf(await bridge.connections.remove({ connectionId: info.id }));
    });
  },
  async "connections.files"({ bridge }) {
    const info = valueOf(await bridge.connections.files({}));
    expect(info).toMatchObject({ kind: "file", hasKey: false, baseUrl: "" });
    expect(valueOf(await bridge.connections.files({}))).toEqual(info);
    expect(valueOf(await bridge.connections.list({})).map(({ id }) => id)).not.toContain(info.id);
    expect(valueOf(await bridge.connections.open({ connectionId: info.id })).connectivity.state).toBe("unknown");
  },
  async "connections.demo"({ bridge }) {
    expect(valueOf(await bridge.connections.demo({}))).toMatchObject({ kind: "demo", hasKey: true });
  },
  async "connections.open"({ bridge }) {
    const opened = valueOf(await bridge.connections.open({ connectionId: KEPT }));
    expect(opened).toMatchObject({ info: { id: KEPT }, quarantinedPath: null, limitPoints: null });
    expect(opened.connectivity.connectionId).toBe(KEPT);
  },
  async "connections.probe"(world) {
    const connectionId = await connectService(world);
    expect(valueOf(await world.bridge.connections.probe({ connectionId })).state).toBe("online");
    const silent = await world.bridge.connections.probe({ connectionId: KEPT });
    if (silent.ok) expect(silent.value.state).toBe("offline");
    else expect(["network", "key"]).toContain(silent.error.kind);
  },
};

const LOST_URL = "https://lost.example.org";

/** Runs the work with a cache in the data folder that belongs to no connection. */
async function withOrphan(folder: string, work: (path: string) => Promise<void>): Promise<void> {
  const path = join(folder, "cache-lost.db");
  const cache = openCache(path);
  writeOwner(cache, { id: "lost", name: "Lost", baseUrl: LOST_URL });
  cache.close();
  try {
    await work(path);
  } finally {
    for (const ending of ["", "-wal", "-shm", "-lock"]) rmSync(path + ending, { force: true });
  }
}

async function add({ bridge, service }: World, name: string): Promise<string> {
  const input = { name, baseUrl: service.url, apiKey: KEY, remember: false };
  return valueOf(await bridge.connections.add(input)).id;
}
