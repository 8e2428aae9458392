import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { openService } from "../support/openService.ts";
import { scratchFolder } from "../support/folder.ts";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type App, createApp } from "#main/app.ts";
import { parseStoredKey } from "#main/secrets.ts";
import { startDemo } from "#main/demo/index.ts";
import { lockFile } from "#main/store/index.ts";
import { type RunningService } from "#service/index.ts";
import { never, NOW_MS } from "../support/desk.ts";
import { valueOf } from "../support/valueOf.ts";

const KEY_A = "organization-a-key-91c4";
const KEY_A2 = "organization-a-key-renewed-77d0";
const KEY_B = "organization-b-key-03fe";

describe("connections", () => {
  let folder: string;
  let service: RunningService;
  let app: App;
  const secrets = new Map<string, string>();
  let protection: "file" | "session";
  let onKeyDeleted: () => void;

  beforeEach(async () => {
    protection = "file";
    onKeyDeleted = () => {};
    folder = scratchFolder();
    service = await openService({
      now: () => NOW_MS,
      organizations: [
        { key: KEY_A, name: "a" },
        { key: KEY_A2, name: "a2" },
        { key: KEY_B, name: "b", networks: ["PACST"] },
      ],
    });
    app = createApp({
      dataFolder: folder,
      startDemo,
      secrets: {
        get: async (id) => secrets.get(id) ?? null,
        set: async (id, key) => void secrets.set(id, key),
        delete: async (id) => {
          secrets.delete(id);
          onKeyDeleted();
        },
        protection: async () => protection,
      },
    });
  });
  afterEach(async () => {
    await app.close();
    secrets.clear();
  });

  /** The saved key without its origin. */
  const keyOf = (id: string): string | undefined => parseStoredKey(secrets.get(id) ?? "{}")?.key;

  async function added(name: string, key: string) {
    const result = valueOf(await app.connections.add(name, service.url, { apiKey: key }, never));
    const connection = await app.connections.open(app.connections.find(name)!);
    await app.catalogue(connection, true, never);
    return { id: result.id, path: connection.cache.path };
  }

  it("are all closed though one that is still being opened fails", async () => {
    const { id } = await added("main", KEY_A);
    const { path } = await added("other", KEY_B);
    await app.close();
    const refused = Promise.withResolvers<string | null>();
    const again = createApp({
      dataFolder: folder,
      startDemo,
      secrets: {
        get: async (of) => (of === id ? refused.promise : (secrets.get(of) ?? null)),
        set: async () => {},
        delete: async () => {},
        protection: async () => protection,
      },
    });
    const opening = again.connections.open(again.connections.find("main")!);
    await again.connections.open(again.connections.find("other")!);
    const closing = again.close();
    // It waits for the opening by now.
    for (let turn = 0; turn < 10; turn++) await setImmediate();
    refused.reject(new Error("The key store is locked."));
    await expect(opening).rejects.toThrow("locked");
    await closing;
    // Nobody has it open.
    lockFile(path, "test")();
  });

  it("deletes the key of a removed connection first, so that no key is left without a connection", async () => {
    const { id, path } = await added("main", KEY_A);
    const stopped = new Error("killed here");
    onKeyDeleted = () => {
      throw stopped;
    };
    await expect(app.connections.remove(id)).rejects.toBe(stopped);
    expect(secrets.size).toBe(0);
    expect(app.connections.find("main")).toMatchObject({ id });
    expect(existsSync(path)).toBe(true);
  });

  it("keeps the cache when the key of the same organization is renewed", async () => {
    const first = await added("main", KEY_A);
    const second = await added("main", KEY_A2);
    expect(second).toEqual(first);
    expect(keyOf(first.id)).toBe(KEY_A2);
  });

  it("uses a renewed key at once in an open connection", async () => {
    const { id } = await added("main", KEY_A);
    const open = await app.connections.open(app.connections.find(id)!);
    expect(await app.connections.add("main", service.url, { apiKey: KEY_A2 }, never)).toMatchObject({ ok: true });
    service.setOrganizations([{ key: KEY_A2, name: "a2" }]);
    expect(await app.catalogue(open, true, never)).toMatchObject({ ok: true });
  });

  it("recognizes another spelling of the same address", async () => {
    const first = await added("main", KEY_A);
    const again = await app.connections.add("main", `${service.url}/`, { apiKey: KEY_A }, never);
    expect(again).toMatchObject({ ok: true, value: { id: first.id } });
    expect(existsSync(first.path)).toBe(true);
  });

  it("changes nothing if the service cannot confirm the organization of a new key", async () => {
    const first = await added("main", KEY_A);
    service.setFaults([{ fault: { kind: "status", status: 503 } }]);
    expect(await app.connections.add("main", service.url, { apiKey: KEY_B }, never)).toMatchObject({ ok: false });
    expect(app.connections.find("main")!.id).toBe(first.id);
    expect(existsSync(first.path)).toBe(true);
    expect(keyOf(first.id)).toBe(KEY_A);
  });

  it.each([
    ["another organization's key", (): string => service.url, KEY_B, "another organization"],
    ["another address", (): string => `${service.url}/elsewhere`, KEY_A, "named “main” to"],
  ])("rejects %s under the same name, and keeps the cache", async (_, url, key, message) => {
    const first = await added("main", KEY_A);
    const refused = await app.connections.add("main", url(), { apiKey: key }, never);
    expect(refused).toMatchObject({ ok: false, error: { kind: "usage", message: expect.stringContaining(message) } });
    expect(JSON.stringify(refused)).not.toContain(key);
    expect([existsSync(first.path), keyOf(first.id)]).toEqual([true, KEY_A]);
    expect(app.connections.find("main")).toMatchObject({ id: first.id, baseUrl: service.url });
  });

  it("deletes a removed connection with its key and files", async () => {
    const { id, path } = await added("main", KEY_A);
    writeFileSync(`${path}.damaged-20261121`, "put aside earlier");
    await app.connections.remove(id);
    expect(await app.connections.list()).toEqual([]);
    expect(secrets.size).toBe(0);
    expect(readdirSync(folder).filter((f) => f.startsWith("cache-"))).toEqual([]);
  });

  it("counts the stations of a service that states no total", async () => {
    const server = createServer((request, response) => {
      const page = Number(new URL(request.url ?? "", "http://x").searchParams.get("page"));
      const size = Number(new URL(request.url ?? "", "http://x").searchParams.get("page_size"));
      const stations = ["a", "b", "c"].slice((page - 1) * size, page * size).map((id) => ({ id }));
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ stations, pagination: { page, page_size: size } }));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const tested = await app.connections.test(`http://127.0.0.1:${port}`, { apiKey: KEY_A }, never);
    server.close();
    expect(tested).toEqual({ ok: true, value: { stations: 3 } });
  });

  it("rejects a new key that shows other stations than the cache has, and keeps everything", async () => {
    const { id, path } = await added("main", KEY_A);
    const refused = await app.connections.setKey(id, { apiKey: KEY_B, isSameOrganization: true }, never);
    expect(refused).toMatchObject({ ok: false, error: { kind: "usage" } });
    expect(JSON.stringify(refused)).not.toContain(KEY_B);
    expect([existsSync(path), keyOf(id)]).toEqual([true, KEY_A]);
    expect(await app.connections.setKey(id, { apiKey: KEY_A2 }, never)).toMatchObject({
      ok: true,
      value: { id },
    });
    expect(keyOf(id)).toBe(KEY_A2);
  });

  it("accepts a key that shows more stations, but rejects one that hides a station with cached data", async () => {
    const all = service.world.stations.filter((s) => s.firstDataMs !== null && s.resolutionSeconds === 30);
    const [held, gone, fresh] = [all[0]!.id, all[1]!.id, all[2]!.id];
    service.setOrganizations([{ key: KEY_A, name: "a", withheldStationIds: [fresh] }]);
    const { id, path } = await added("main", KEY_A);
    const open = await app.connections.open(app.connections.find(id)!);
    const range = { startMs: NOW_MS - 172_800_000, endMs: NOW_MS - 169_200_000 };
    const spec = { stationIds: [held, gone], variables: ["ztd" as const], range, intervalSeconds: null, raw: false };
    await app.jobs.run(open, spec, { signal: never });
    const shown = () => new Set(open.cache.catalogue().stations.map((s) => s.id));
    expect([shown().has(gone), shown().has(fresh)]).toEqual([true, false]);

    service.setOrganizations([{ key: KEY_A2, name: "a2" }]);
    expect(await app.connections.setKey(id, { apiKey: KEY_A2 }, never)).toMatchObject({ ok: true });
    expect(shown().has(fresh)).toBe(true);

    service.setOrganizations([{ key: KEY_B, name: "b", withheldStationIds: [gone] }]);
    const refused = await app.connections.setKey(id, { apiKey: KEY_B }, never);
    expect(refused.ok ? "" : refused.error.message).toContain(
      `most stations of “main”, but not ${all[1]!.displayName},`,
    );
    // Replacing the connection does not delete the cache either.
    expect(await app.connections.add("main", service.url, { apiKey: KEY_B }, never)).toMatchObject({ ok: false });
    expect([existsSync(path), keyOf(id), shown().has(gone)]).toEqual([true, KEY_A2, true]);

    // The user knows that the station has closed: its data stay.
    const confirmed = { apiKey: KEY_B, isSameOrganization: true };
    expect(await app.connections.setKey(id, confirmed, never)).toMatchObject({ ok: true });
    expect([keyOf(id), shown().has(gone)]).toEqual([KEY_B, false]);
    const kept = { stationId: gone, variables: ["ztd"] as const, range, intervalSeconds: null, raw: false };
    expect(open.cache.countRows(kept)).toBeGreaterThan(100);
  });

  it("keeps a key for this run only on request, and deletes the previous one", async () => {
    const { id } = await added("main", KEY_A);
    const renewed = await app.connections.setKey(id, { apiKey: KEY_A2, remember: false }, never);
    expect(renewed).toMatchObject({ ok: true, value: { hasKey: true, keyKept: "session" } });
    expect(secrets.size).toBe(0);
    service.setOrganizations([{ key: KEY_A2, name: "a2" }]);
    const open = await app.connections.open(app.connections.find(id)!);
    expect(await app.catalogue(open, true, never)).toMatchObject({ ok: true });
    const other = await app.connections.add("other", service.url, { apiKey: KEY_A2, remember: false }, never);
    expect(other).toMatchObject({ ok: true, value: { keyKept: "session" } });
    expect(secrets.size).toBe(0);
  });

  it("saves no key if the system cannot protect it", async () => {
    protection = "session";
    const { id } = await added("main", KEY_A);
    expect(await app.connections.list()).toMatchObject([{ id, hasKey: true, keyKept: "session" }]);
    expect(secrets.size).toBe(0);
  });

  it("renames a connection, but not to a name in use", async () => {
    const { id } = await added("main", KEY_A);
    await added("second", KEY_A);
    expect(await app.connections.rename(id, "second")).toMatchObject({ ok: false });
    expect(await app.connections.rename(id, "demo")).toMatchObject({ ok: false });
    expect(await app.connections.rename(id, "third")).toMatchObject({ ok: true, value: { id, name: "third" } });
    expect(app.connections.find("third")!.id).toBe(id);
  });

  it.each([
    ["a refused key", (): string => service.url, "wrong", "key"],
    ["another address", (): string => "http://127.0.0.1:9", KEY_A, "network"],
    ["another path", (): string => `${service.url}/elsewhere`, KEY_A, "service"],
  ] as const)("reports %s in a test of the connection, which saves nothing", async (_, url, key, kind) => {
    const result = await app.connections.test(url(), { apiKey: key }, never);
    expect(result).toMatchObject({ ok: false, error: { kind } });
    expect(JSON.stringify(result)).not.toContain(key);
    expect(await app.connections.list()).toEqual([]);
  });

  it("rejects an invalid address or name", async () => {
    expect(await app.connections.add("x", "not an address", { apiKey: KEY_A }, never)).toMatchObject({ ok: false });
    expect(await app.connections.add("demo", service.url, { apiKey: KEY_A }, never)).toMatchObject({ ok: false });
    expect(await app.connections.add("a\nb", service.url, { apiKey: KEY_A }, never)).toMatchObject({ ok: false });
  });
});
