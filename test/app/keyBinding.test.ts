import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { openService } from "../support/openService.ts";
import { scratchFolder } from "../support/folder.ts";
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import Database from "better-sqlite3";
import * as fc from "fast-check";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { type App, createApp } from "#main/app.ts";
import { faultOf } from "#main/fault.ts";
import { createFileSecrets } from "#main/secrets.ts";
import { openUserStore } from "#main/store/index.ts";
import { isPlainHttp } from "#shared/addresses.ts";
import { KEY, never, NOW_MS } from "../support/desk.ts";
import { gateCases } from "../support/endurance.ts";
import { valueOf } from "../support/valueOf.ts";

/** Keys that were sent to an address they were not entered for. */
const stolen: unknown[] = [];
let folder = "";
const apps: App[] = [];

const service = await openService({ now: () => NOW_MS, organizations: [{ key: KEY, name: "test" }] });
const elsewhere = createServer((request, response) => {
  if (request.headers["x-api-key"] !== undefined) stolen.push([request.url, request.headers["x-api-key"]]);
  response.end("{}");
}).listen(0, "127.0.0.1");
afterAll(() => void elsewhere.close());
await once(elsewhere, "listening");
const elsewhereUrl = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
beforeEach(() => {
  folder = scratchFolder();
  stolen.length = 0;
});
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});

const secrets = () => createFileSecrets(join(folder, "keys"));

function start(): App {
  const app = createApp({ dataFolder: folder, secrets: secrets(), startDemo: () => Promise.reject(new Error("none")) });
  apps.push(app);
  return app;
}

async function end(app: App): Promise<void> {
  apps.splice(apps.indexOf(app), 1);
  await app.close();
}

async function connected(): Promise<string> {
  const app = start();
  const added = valueOf(await app.connections.add("main", service.url, { apiKey: KEY }, never));
  await app.catalogue(await app.connections.open(app.connections.find("main")!), true, never);
  await end(app);
  return added.id;
}

/** Changes the address in user.db, as a restored backup or another program would. */
function moveTo(baseUrl: string): void {
  const users = openUserStore(join(folder, "user.db"));
  users.putConnection({ ...users.connections()[0]!, baseUrl });
  users.close();
}

/** The outcome of a request to the service. */
async function outcome(): Promise<string> {
  const app = start();
  const connection = await app.connections.open(app.connections.find("main")!);
  const result = await app.catalogue(connection, true, never);
  return result.ok ? "ok" : result.error.message;
}

describe("a saved key", () => {
  it("is sent only to the address it was entered for, and the user is informed", async () => {
    await connected();
    moveTo(elsewhereUrl);
    expect(await outcome()).toMatch(`was entered for ${service.url}, but the connection leads to ${elsewhereUrl} now`);
    expect(stolen).toEqual([]);
  });

  it("without its address counts as none", async () => {
    const id = await connected();
    await secrets().set(id, KEY);
    expect(await outcome()).not.toBe("ok");
  });

  it("given for one run is sent only to the address of the saved one", async () => {
    const id = await connected();
    await secrets().delete(id);
    moveTo(elsewhereUrl);
    const app = start();
    app.connections.useKey(id, KEY);
    const connection = await app.connections.open(app.connections.find("main")!);
    expect(await app.catalogue(connection, true, never)).toMatchObject({
      ok: false,
      error: { kind: "key", message: expect.stringContaining("name different ones") },
    });
    expect(stolen).toEqual([]);
  });

  it("is sent unencrypted to another computer only with the user's permission", async () => {
    const app = start();
    const url = "http://192.0.2.1";
    for (const result of [
      await app.connections.test(url, { apiKey: KEY }, never),
      await app.connections.add("plain", url, { apiKey: KEY }, never),
    ])
      expect(result).toMatchObject({
        ok: false,
        error: { kind: "usage", message: expect.stringContaining("unencrypted") },
      });
    const added = await app.connections.add("plain", url, { apiKey: KEY, allowsPlainHttp: true }, never);
    expect(added).toMatchObject({ ok: true, value: { hasKey: true } });
    const id = added.ok ? added.value.id : "";
    expect(await app.connections.setKey(id, { apiKey: "another" }, never)).toMatchObject({ ok: false });
    // A key entered for https is not sent if http is written into user.db.
    await secrets().set(
      id,
      JSON.stringify({ version: 1, origin: "https://192.0.2.1", allowsPlainHttp: false, key: KEY }),
    );
    await end(app);
    expect(await start().connections.list()).toMatchObject([{ hasKey: false }]);
  });
});

it.each([
  ["http://gnss.example.org", true],
  [" HTTP://10.0.0.7:8080/x", true],
  ["http://127.0.0.1.example.org", true],
  ["http://evil.localhost", true],
  ["http://localhost:8080", false],
  ["http://127.1.2.3", false],
  ["http://[::1]:80", false],
  ["https://gnss.example.org", false],
  ["gnss.example.org", false],
])("the key would be sent unencrypted to another computer by %s: %s", (address, isPlain) => {
  expect(isPlainHttp(address)).toBe(isPlain);
});

const anyText = fc.oneof(
  fc.string({ maxLength: 30 }),
  fc.json({ maxDepth: 2 }),
  fc.constantFrom("{}", "null", "../../x", "/etc/passwd", "\u0000", "setting", "job", '{"baseUrl":"http://["}'),
  fc.constant("elsewhere"),
);
const anyHarm = fc.record({
  kind: fc.constantFrom("connection", "job", "verdicts", "view", "savedExport", "setting"),
  column: fc.constantFrom("kind", "id", "content", "content", "checksum"),
  value: anyText,
});

/** Uses all functions that read saved data; returns the messages of errors. */
async function useAll(): Promise<string[]> {
  const messages: string[] = [];
  const attempt = async (work: () => unknown): Promise<void> => {
    try {
      await work();
    } catch (thrown) {
      messages.push(faultOf(thrown).kind === "core" ? `RAW ${String(thrown)}` : (thrown as Error).message);
    }
  };
  let app: App;
  try {
    app = start();
  } catch (thrown) {
    return [faultOf(thrown).kind === "core" ? `RAW ${String(thrown)}` : (thrown as Error).message];
  }
  await attempt(() => app.connections.list());
  await attempt(() => app.jobs.list(null).map((job) => job.spec.range));
  await attempt(() => app.queue.list().map((job) => new Date(job.createdAtMs).toISOString()));
  await attempt(() => app.sessionFiles.views());
  await attempt(() => app.savedExports.list());
  await attempt(() => app.savedExports.unreadable().forEach((name) => app.savedExports.remove(name)));
  for (const job of app.queue.list()) await attempt(() => app.queue.verdicts(job.id));
  const record = app.connections.find("main");
  if (record)
    await attempt(async () => {
      const connection = await app.connections.open(record);
      await app.catalogue(connection, true, never);
    });
  for (const job of app.queue.list()) await attempt(() => app.queue.remove(job.id));
  await end(app);
  return messages;
}

it("a key file that cannot be read or written is reported with a sentence", async () => {
  await secrets().set("other", "secret");
  for (const use of [secrets().get, secrets().delete, (id: string) => secrets().set(id, "secret")]) {
    const fault = faultOf(await use("9".repeat(400)).catch((thrown: unknown) => thrown));
    expect(fault).toMatchObject({ kind: "disk", message: expect.stringContaining("choose a shorter one") });
  }
});

describe("a changed user.db", () => {
  it("works or fails with messages in every part, and sends no key to another address", async () => {
    const id = await connected();
    const users = openUserStore(join(folder, "user.db"));
    const spec = {
      stationIds: ["a"],
      variables: ["ztd" as const],
      range: { startMs: 0, endMs: 1 },
      intervalSeconds: null,
      raw: false,
    };
    users.putJob(
      {
        id: "j",
        connectionId: id,
        spec,
        state: "finished",
        reason: null,
        createdAtMs: 1,
        updatedAtMs: 1,
        counters: null,
        verdictCounts: {},
        keepUp: false,
        nextRunMs: null,
      },
      [],
    );
    users.changeNamed("view", { put: [{ id: "v", value: { name: "v" } }] });
    users.changeNamed("savedExport", { put: [{ id: "e", value: { name: "e", connectionId: id } }] });
    users.putSetting("settings", "{}");
    users.close();
    const path = join(folder, "user.db");
    const whole = readFileSync(path);
    await fc.assert(
      fc.asyncProperty(fc.array(anyHarm, { minLength: 1, maxLength: 3 }), async (harms) => {
        writeFileSync(path, whole);
        const db = new Database(path);
        for (const { kind, column, value } of harms) {
          const text = value === "elsewhere" ? JSON.stringify({ baseUrl: elsewhereUrl }) : value;
          const stored = column === "checksum" ? text.length : text;
          db.prepare(`UPDATE OR IGNORE record SET ${column} = ? WHERE kind = ?`).run(stored, kind);
        }
        db.close();
        for (const message of await useAll()) expect(message).not.toMatch(/RAW|SQLITE_|SqliteError|undefined|\n\s+at /);
        expect(stolen).toEqual([]);
      }),
      // Each attempt opens an application: to shrink a failure would take longer than the test may.
      { numRuns: gateCases(25), endOnFailure: true },
    );
  });

  it("with another header, version or schema is reported with a message that suggests the backup", async () => {
    await connected();
    const path = join(folder, "user.db");
    const whole = readFileSync(path);
    const harms = [
      "PRAGMA user_version = 0",
      "PRAGMA user_version = 2",
      "PRAGMA user_version = -3",
      "PRAGMA user_version = 999",
      "PRAGMA application_id = 7",
      "DROP TABLE record",
      "ALTER TABLE record ADD COLUMN more TEXT",
      "CREATE TRIGGER t AFTER INSERT ON record BEGIN DELETE FROM record; END",
      "CREATE INDEX i ON record (content)",
      "ALTER TABLE record RENAME TO records",
    ];
    for (const harm of harms) {
      writeFileSync(path, whole);
      const db = new Database(path);
      db.exec(harm);
      db.close();
      const [message = "opened"] = await useAll();
      expect(message).toMatch(/^(?!RAW).*zenith restore newest/);
      expect(message).not.toMatch(/SQLITE_|SqliteError/);
    }
  });

  it("with any changed byte works or fails with a message", async () => {
    await connected();
    const path = join(folder, "user.db");
    const whole = readFileSync(path);
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), async (at, turn) => {
        const bytes = Buffer.from(whole);
        bytes[at] = bytes[at]! ^ turn;
        writeFileSync(path, bytes);
        for (const ending of ["-wal", "-shm"]) rmSync(path + ending, { force: true });
        for (const message of await useAll()) expect(message).not.toMatch(/RAW|SQLITE_|SqliteError|\n\s+at /);
        expect(stolen).toEqual([]);
      }),
      { numRuns: gateCases(40) },
    );
  });
});
