import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, describe, expect, it } from "vitest";
import { createBridgeClient } from "#shared/bridge/client.ts";
import { channelPair } from "#shared/bridge/transport/protocol.ts";
import { readLog } from "#main/log/index.ts";
import { Served } from "#main/served.ts";
import { openUserStore, checkedBackups, type UserStore } from "#main/store/index.ts";
import type { ConnectionRecord } from "#main/store/user/types.ts";
import { temporaryFolders } from "../support/folder.ts";

const folder = temporaryFolders();
let served: Served | null = null;
afterEach(async () => {
  await served?.close();
  served = null;
});

const record = (id: string, name: string): ConnectionRecord => ({
  id,
  name,
  baseUrl: "https://example.org",
  createdAtMs: 5,
  cacheFile: `cache-${id}.db`,
  kind: "service",
});

/** A data folder with a user.db that `fill` writes, and its backup. */
function dataFolder(fill: (users: UserStore) => void): { readonly data: string; readonly path: string } {
  const data = join(folder(), "data");
  const path = join(data, "user.db");
  const users = openUserStore(path);
  fill(users);
  users.close();
  return { data, path };
}

function serve(data: string): Served {
  const secrets = {
    get: () => Promise.resolve(null),
    set: () => Promise.resolve(),
    delete: () => Promise.resolve(),
    protection: () => Promise.resolve("session" as const),
  };
  served = new Served({ dataFolder: data, secrets, startDemo: () => Promise.reject(new Error("no demo here")) });
  return served;
}

function openWindow(of: Served) {
  const client = createBridgeClient();
  const pair = channelPair();
  of.serve(pair.core, null);
  client.attach(pair.window);
  return client.bridge;
}

describe("windows of a damaged user.db", () => {
  it("list its backups with their content, and continue with the chosen one", async () => {
    const { data, path } = dataFolder((users) => {
      users.putConnection(record("a", "Aurora"));
      users.putConnection(record("b", "Boreal"));
      users.changeNamed("view", { put: [{ id: "A view", value: { name: "A view" } }] });
    });
    writeFileSync(path, "no database at all");
    const core = serve(data);
    expect(core.app).toBeNull();
    const [bridge, other] = [openWindow(core), openWindow(core)];

    expect(await bridge.connections.list({})).toMatchObject({ ok: false, error: { kind: "disk" } });
    expect(await bridge.system.capabilities({})).toMatchObject({ ok: true });
    const state = await bridge.recovery.state({});
    const backup = checkedBackups(path).backups[0]!.path;
    expect(state).toMatchObject({
      value: {
        reason: "damaged",
        path,
        backups: [
          { path: backup, connections: 2, connectionNames: ["Aurora", "Boreal"], views: 1, jobs: 0 },
          // Of the first change of the day.
          { connections: 1, connectionNames: ["Aurora"], views: 0 },
        ],
      },
    });
    // No other file can be restored.
    writeFileSync(join(data, "other"), "");
    expect(await bridge.recovery.restore({ backup: join(data, "other") })).toMatchObject({ error: { kind: "usage" } });
    expect(readFileSync(path, "utf8")).toBe("no database at all");

    const recovered = new Promise((resolve) => other.on("recovered", resolve));
    const restored = await bridge.recovery.restore({ backup });
    expect(restored).toMatchObject({ ok: true });
    await recovered;
    const aside = restored.ok ? restored.value.putAsideAt : null;
    expect(aside).toContain("user.db.replaced-");
    expect(readFileSync(aside ?? "", "utf8")).toBe("no database at all");
    // A new window shows all data, and names what cannot be read.
    const again = openWindow(core);
    expect(await again.connections.list({})).toMatchObject({ value: [{ name: "Aurora" }, { name: "Boreal" }] });
    expect(await again.views.list({})).toMatchObject({ value: [] });
    expect(await again.views.damaged({})).toMatchObject({ value: ["A view"] });
    const logged = readLog(data, "warn").filter(({ text }) => text.startsWith("the saved view “A view” is damaged"));
    expect(logged).toHaveLength(1);
    expect(await again.views.delete({ name: "A view" })).toMatchObject({ ok: true });
    expect(await again.views.damaged({})).toMatchObject({ value: [] });
  });

  it("continue with an empty list on request, and keep the damaged file", async () => {
    const { data, path } = dataFolder(() => {});
    writeFileSync(path, "no database at all");
    for (const name of readdirSync(data).filter((n) => n.includes(".backup"))) rmSync(join(data, name));
    const core = serve(data);
    const bridge = openWindow(core);
    expect(await bridge.recovery.state({})).toMatchObject({ value: { reason: "damaged", backups: [] } });
    expect(await bridge.recovery.restore({ backup: null })).toMatchObject({ ok: true });
    expect(core.app).not.toBeNull();
    expect(await openWindow(core).connections.list({})).toMatchObject({ value: [] });
    expect(readdirSync(data).filter((name) => name.startsWith("user.db.replaced"))).toHaveLength(1);
    expect(existsSync(path)).toBe(true);
  });

  it("name a connection with a damaged record, and what to do", async () => {
    const { data, path } = dataFolder((users) => users.putConnection(record("a", "Aurora")));
    const db = new Database(path);
    db.exec("UPDATE record SET content = replace(content, 'example', 'examplf')");
    db.close();
    const bridge = openWindow(serve(data));
    const listed = await bridge.connections.list({});
    expect(listed).toMatchObject({ value: [{ name: "Aurora", damage: expect.stringContaining("Remove it") }] });
    expect(await bridge.connections.open({ connectionId: "a" })).toMatchObject({ ok: false, error: { kind: "disk" } });
    const about = await bridge.system.about({});
    expect(about).toMatchObject({
      value: { warnings: [expect.stringContaining("not used: the connection “Aurora”.")] },
    });
  });
});
