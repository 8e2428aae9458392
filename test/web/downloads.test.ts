import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ExportTask } from "#shared/bridge/methods/export.ts";
import { ASKED, KEPT, NATIVE, ONE, prepareFolder } from "../bridge/fixture.ts";
import { valueOf } from "../bridge/cases/case.ts";
import { scratchFolder } from "../support/folder.ts";
import { pageBridge, webShell } from "./page.ts";

const request = {
  ...NATIVE,
  stationIds: [ONE],
  variables: ["ztd" as const],
  range: ASKED,
  resampled: false,
  format: "csv" as const,
  heightReference: "WGS84_ELLIPSOID" as const,
};

describe("downloads of the web shell", async () => {
  const dataFolder = scratchFolder();
  prepareFolder(dataFolder);
  const test = await webShell({ dataFolder });
  const secret = await test.secret();
  const bridge = pageBridge(test, secret);
  const task = await exported();
  writeFileSync(join(dataFolder, "exports", task.id, "beside.csv"), "not of the export");

  /** Requests the address at which the file with this path can be downloaded once. */
  async function ticketFor(path: string): Promise<string> {
    return (await test.call("ticket", secret, `?path=${encodeURIComponent(path)}`)).body.trim();
  }

  async function exported(): Promise<ExportTask> {
    const finished = new Promise<ExportTask>((resolve) => {
      bridge.on("exportChanged", (changed) => {
        if (changed.state !== "running") resolve(changed);
      });
    });
    valueOf(await bridge.export.start({ connectionId: KEPT, request, destination: { kind: "download" } }));
    return finished;
  }

  it("send each file of a finished export completely, with its name", async () => {
    expect(task.downloads.length).toBeGreaterThanOrEqual(2);
    for (const { name, href, bytes } of task.downloads) {
      const response = await test.request(await ticketFor(href));
      expect(response).toMatchObject({
        status: 200,
        headers: {
          "content-length": String(bytes),
          "content-type": "application/octet-stream",
          "x-content-type-options": "nosniff",
          "cache-control": "no-store",
          "content-disposition": expect.stringMatching(/^attachment; filename="/),
        },
      });
      const [, encoded = ""] = response.headers["content-disposition"]?.split("filename*=UTF-8''") ?? [];
      expect(decodeURIComponent(encoded)).toBe(name);
      expect(Buffer.byteLength(response.body)).toBe(bytes);
    }
    const rows = (await test.request(await ticketFor(task.downloads[0]?.href ?? ""))).body.trimEnd().split(/\r?\n/);
    expect(rows).toHaveLength(5_639 + 1);
  });

  it("require a ticket, which is valid once and for one file", async () => {
    const path = task.downloads[0]?.href ?? "";
    expect(await test.request(path)).toMatchObject({ status: 403 });
    expect(await test.call("ticket", "no", `?path=${encodeURIComponent(path)}`)).toMatchObject({ status: 401 });
    const ticket = await ticketFor(path);
    expect(await test.request(ticket, { method: "HEAD" })).toMatchObject({ status: 200 });
    // The name in the address has no effect; the ticket determines the file.
    const renamed = ticket.replace(/[^/]+$/, "beside.csv");
    expect((await test.request(renamed)).headers["content-disposition"]).not.toContain("beside");
    expect(await test.request(ticket)).toMatchObject({ status: 403 });
  });

  it("are limited to files of the export, and exports cannot write to a path", async () => {
    const { id } = task;
    const name = encodeURIComponent(task.downloads[0]?.name ?? "");
    const path = join(dataFolder, "elsewhere.csv");
    const refused = await bridge.export.start({ connectionId: KEPT, request, destination: { kind: "file", path } });
    expect(refused).toMatchObject({ ok: false, error: { kind: "usage" } });
    expect(existsSync(path)).toBe(false);
    const paths = [
      `/download/${id}/beside.csv`,
      `/download/${id}/`,
      `/download/${id}`,
      "/download/",
      `/download/${id}/..%2F..%2Fuser.db`,
      `/download/${id}/../../user.db`,
      `/download/${id}/%2E%2E/${id}/${name}`,
      `/download/..%2F${id}/${name}`,
      `/download/${id}/${encodeURIComponent(join(dataFolder, "user.db"))}`,
      `/download/${id}/%ZZ`,
      `/download/${id}/${name}/x`,
      `/download/__proto__/x`,
    ];
    const withTickets = await Promise.all(paths.map(async (p) => test.request(await ticketFor(p))));
    expect(withTickets.map((a) => a.status)).toEqual(paths.map(() => 404));
    const withoutTickets = await Promise.all(paths.map((p) => test.request(p)));
    expect(withoutTickets.map((a) => [403, 404].includes(a.status))).toEqual(paths.map(() => true));
  });

  it("are not available after the export was removed from the list", async () => {
    valueOf(await bridge.export.remove({ exportId: task.id }));
    expect(await test.request(await ticketFor(task.downloads[0]?.href ?? ""))).toMatchObject({ status: 404 });
  });
});
