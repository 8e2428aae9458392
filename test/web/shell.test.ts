import { createServer, type AddressInfo } from "node:net";
import { scratchFolder } from "../support/folder.ts";
import { once } from "node:events";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ScheduleStore } from "#main/app/schedules/scheduleStore.ts";
import { openUserStore } from "#main/store/index.ts";
import { attachment } from "#main/web/server.ts";
import { listenAddress } from "#main/web/host.ts";
import { StoreError } from "#main/store/errors.ts";
import { startWebShell } from "#main/web/index.ts";
import { scheduleOf } from "../app/scheduleOf.ts";
import { openTestShell } from "./shell.ts";
import { itNightly } from "../support/needs.ts";
import { valueOf } from "../support/valueOf.ts";
import { webShell } from "./page.ts";

describe("the web shell", () => {
  it("listens only on loopback addresses", () => {
    expect(["127.0.0.1", "localhost", "::1", "[::1]"].map(listenAddress)).toEqual([
      "127.0.0.1",
      "127.0.0.1",
      "::1",
      "::1",
    ]);
    for (const host of ["0.0.0.0", "::", "", "192.168.1.2", "example.org", "127.0.0.2", "constructor"])
      expect(listenAddress(host)).toBeNull();
  });

  itNightly("cannot open a data folder while another shell uses it", async () => {
    const test = await openTestShell();
    const options = { dataFolder: `${test.folder}/data`, pageFolder: test.folder, port: 0 };
    await expect(startWebShell(options)).rejects.toThrow(/open already on .*--data-folder/);
    await test.shell.close();
    const second = await startWebShell(options);
    await second.close();
    rmSync(test.folder, { recursive: true });
  });

  it("runs schedules before a browser opens the window", async () => {
    const folder = scratchFolder();
    const users = openUserStore(join(folder, "user.db"));
    // Nothing listens at this address, so the run fails, but it has begun.
    users.putConnection({
      id: "c1",
      name: "one",
      baseUrl: "http://127.0.0.1:9",
      createdAtMs: 1,
      cacheFile: "cache-c1.db",
      kind: "service",
    });
    const given = scheduleOf({ when: { kind: "every", minutes: 1 } });
    const store = new ScheduleStore(users);
    const saved = valueOf(store.save(null, given, Date.now() - 3_600_000));
    await webShell({ dataFolder: folder });
    await expect.poll(() => store.runs(saved.id).map((run) => run.trigger)).toEqual(["missed"]);
    users.close();
  });

  itNightly("fails to start if the port is in use, and releases the folder", async () => {
    const folder = scratchFolder();
    const other = createServer();
    await once(other.listen(0, "127.0.0.1"), "listening");
    const { port } = other.address() as AddressInfo;
    await expect(openTestShell({ dataFolder: folder, port })).rejects.toMatchObject({ code: "EADDRINUSE" });
    other.close();
    const test = await webShell({ dataFolder: folder });
    await test.shell.ready;
  });

  it("fails to start if the data folder cannot be created", async () => {
    await expect(openTestShell({ dataFolder: "/dev/null/nowhere" })).rejects.toThrow(StoreError);
  });

  itNightly("fails if the core cannot open its databases, and releases the folder", async () => {
    const folder = scratchFolder();
    const options = { dataFolder: folder, pageFolder: folder, port: 0 };
    // A folder with the name of the database.
    mkdirSync(join(folder, "user.db"));
    const broken = await startWebShell(options);
    await expect(broken.ready).rejects.toThrow(StoreError);
    rmSync(join(folder, "user.db"), { recursive: true });
    const sound = await startWebShell(options);
    await sound.ready;
    await sound.close();
  });

  it("closes while windows are open, including an unresponsive one", async () => {
    const test = await openTestShell();
    const [silent, responsive] = [await test.socket(), await test.socket()];
    silent.pause();
    const closed = once(responsive, "close");
    await test.close();
    expect((await closed)[0]).toBe(1001);
    silent.terminate();
  });
});

describe("the name of a download", () => {
  it.each([
    ["kallio.nc", `attachment; filename="kallio.nc"; filename*=UTF-8''kallio.nc`],
    ["高見原 ü.csv", `attachment; filename="___ _.csv"; filename*=UTF-8''%E9%AB%98%E8%A6%8B%E5%8E%9F%20%C3%BC.csv`],
    ['a"; x=\r\n.nc', `attachment; filename="a__ x___.nc"; filename*=UTF-8''a%22%3B%20x%3D%0D%0A.nc`],
    ["it's (1)*.nc", `attachment; filename="it_s (1)_.nc"; filename*=UTF-8''it%27s%20%281%29%2A.nc`],
    ["\uD800.nc", `attachment; filename="_.nc"; filename*=UTF-8''%EF%BF%BD.nc`],
  ])("%j is encoded in the header", (name, header) => {
    expect(attachment(name)).toBe(header);
  });
});
