import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createBridgeClient } from "#shared/bridge/client.ts";
import type { ExportTask } from "#shared/bridge/export.ts";
import { keepSocket } from "../../src/renderer/bridge/socketChannel.ts";
import { ASKED, KEPT, NATIVE, ONE, prepareFolder } from "../bridge/fixture.ts";
import { valueOf } from "../bridge/cases/case.ts";
import { openTestShell, type TestShell } from "./shell.ts";

const request = {
  ...NATIVE,
  stationIds: [ONE],
  variables: ["ztd" as const],
  range: ASKED,
  resampled: false,
  format: "csv" as const,
  heightReference: "WGS84_ELLIPSOID" as const,
};

describe("downloads of the web shell", () => {
  const dataFolder = mkdtempSync(join(tmpdir(), "zenith-downloads-"));
  const { bridge, attach, tell } = createBridgeClient();
  let test: TestShell;
  const ends: (() => void)[] = [];
  let headers: Record<string, string> = {};
  let task: ExportTask;

  beforeAll(async () => {
    prepareFolder(dataFolder);
    test = await openTestShell({ dataFolder });
    const cookie = await test.cookie();
    headers = { cookie };
    const socketHeaders = { cookie, origin: `http://${test.host}` };
    const open = (): WebSocket => new WebSocket(`ws://${test.host}/bridge`, { headers: socketHeaders } as never);
    ends.push(keepSocket(attach, tell, { open }));
    task = await exported();
    writeFileSync(join(dataFolder, "exports", task.id, "beside.csv"), "not of the export");
  });
  afterAll(async () => {
    for (const end of ends) end();
    await test.close();
    rmSync(dataFolder, { recursive: true, force: true });
  });

  async function exported(): Promise<ExportTask> {
    const finished = new Promise<ExportTask>((resolve) => {
      bridge.on("exportChanged", (changed) => {
        if (changed.state !== "running") resolve(changed);
      });
    });
    valueOf(await bridge.export.start({ connectionId: KEPT, request, destination: { kind: "download" } }));
    return finished;
  }

  it("sends each file of a finished export, whole, under its name", async () => {
    expect(task.downloads.length).toBeGreaterThanOrEqual(2);
    for (const { name, href, bytes } of task.downloads) {
      const answer = await test.ask(href, { headers });
      expect(answer).toMatchObject({
        status: 200,
        headers: {
          "content-length": String(bytes),
          "content-type": "application/octet-stream",
          "x-content-type-options": "nosniff",
          "cache-control": "no-store",
          "content-disposition": expect.stringMatching(/^attachment; filename="/),
        },
      });
      const [, encoded = ""] = answer.headers["content-disposition"]?.split("filename*=UTF-8''") ?? [];
      expect(decodeURIComponent(encoded)).toBe(name);
      expect(Buffer.byteLength(answer.body)).toBe(bytes);
    }
    const rows = (await test.ask(task.downloads[0]?.href ?? "", { headers })).body.trimEnd().split(/\r?\n/);
    expect(rows).toHaveLength(5_640 + 1);
  });

  it("needs the cookie", async () => {
    expect(await test.ask(task.downloads[0]?.href ?? "")).toMatchObject({ status: 403 });
  });

  it("sends nothing else: neither what lies beside, nor another path; and writes nowhere else", async () => {
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
    const answers = await Promise.all(paths.map((p) => test.ask(p, { headers })));
    expect(answers.map((a) => a.status)).toEqual(paths.map(() => 404));
  });

  it("sends nothing of an export that was taken off the list", async () => {
    valueOf(await bridge.export.remove({ exportId: task.id }));
    expect(await test.ask(task.downloads[0]?.href ?? "", { headers })).toMatchObject({ status: 404 });
  });
});
