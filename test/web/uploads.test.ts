import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { FileGrant } from "#shared/file/opened.ts";
import { faultOf, valueOf } from "../bridge/cases/case.ts";
import { openTestShell } from "./shell.ts";
import { scratchFolder } from "../support/folder.ts";
import { pageBridge, webShell } from "./page.ts";

const START_MS = Date.UTC(2026, 0, 1);
const TABLE = "station_id,time,ztd_mm\r\na,2026-01-01T00:00:00Z,2400.5\r\na,2026-01-01T00:00:30Z,\r\n";
const MOST_BYTES = 100_000;

describe("files uploaded by a page of the web shell", async () => {
  const dataFolder = scratchFolder();
  const copies = join(dataFolder, "opened");
  mkdirSync(copies, { recursive: true });
  writeFileSync(join(copies, "left"), "by a run that was killed");
  const test = await webShell({ dataFolder, mostUploadBytes: MOST_BYTES });
  const secret = await test.secret();
  const validHeaders = {
    authorization: `Bearer ${secret}`,
    origin: `http://${test.host}`,
    "sec-fetch-site": "same-origin",
  };
  const bridge = pageBridge(test, secret);

  interface SendOptions {
    readonly path?: string;
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string | undefined>>;
    /** Closes the connection after the body instead of completing the request. */
    readonly isCut?: boolean;
  }

  function send(body: string | Buffer, { path, method = "POST", headers = validHeaders, isCut }: SendOptions = {}) {
    const sent = Object.entries({ host: test.host, ...headers }).filter(
      (h): h is [string, string] => h[1] !== undefined,
    );
    return new Promise<{ status: number; text: string }>((resolve, reject) => {
      const outgoing = request(
        {
          host: "127.0.0.1",
          port: test.port,
          path: path ?? "/open?name=table.csv",
          method,
          headers: Object.fromEntries(sent),
          setHost: false,
          agent: false,
        },
        (response) => {
          let text = "";
          response.setEncoding("utf8").on("data", (piece: string) => (text += piece));
          response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
        },
      );
      outgoing.on("error", reject);
      if (isCut) outgoing.write(body, () => outgoing.destroy());
      else outgoing.end(body);
    });
  }
  const copied = (): string[] => (existsSync(copies) ? readdirSync(copies) : []);

  it("are removed at the start if an earlier run left them", () => expect(copied()).toEqual([]));

  it("are granted, opened, read over the bridge, and removed when they are closed", async () => {
    const response = await send(TABLE, { path: `/open?name=${encodeURIComponent("../../Ärö\\my table.csv")}` });
    expect(response.status).toBe(200);
    const grant = JSON.parse(response.text) as FileGrant;
    expect(grant).toEqual({ grantId: grant.grantId, name: "my table.csv", bytes: TABLE.length, kind: "data" });
    expect(copied()).toHaveLength(1);
    const changed = new Promise((resolve) => bridge.on("filesChanged", resolve));
    const file = valueOf(await bridge.files.open({ grantId: grant.grantId }));
    await changed;
    expect(file).toMatchObject({ name: "my table.csv", format: "csv", series: [{ label: "a", rows: 2 }] });
    const range = { startMs: START_MS, endMs: START_MS + 60_000 };
    const query = { fileId: file.id, seriesIds: [file.series[0]!.id], range };
    const [window] = valueOf(await bridge.files.window({ ...query, columns: 2, mostRows: 10 }));
    expect(window).toEqual({
      kind: "rows",
      seriesId: "0",
      range,
      timesMs: Float64Array.of(START_MS, START_MS + 30_000),
      values: Float64Array.of(2_400.5, Number.NaN),
    });
    const page = valueOf(await bridge.files.page({ ...query, range: null, offset: 1, limit: 5 }));
    expect(page).toMatchObject({ total: 2, offset: 1, timesMs: Float64Array.of(START_MS + 30_000) });
    expect(faultOf(await bridge.files.open({ grantId: grant.grantId })).message).toContain("no longer available");
    valueOf(await bridge.files.close({ fileId: file.id }));
    expect(copied()).toEqual([]);
    expect(valueOf(await bridge.files.list({}))).toEqual([]);
  });

  it("leave no copy if they cannot be read, with a message that contains their original name", async () => {
    const { text } = await send("nothing of ours", { path: "/open?name=odd.bin" });
    const { grantId } = JSON.parse(text) as FileGrant;
    const fault = faultOf(await bridge.files.open({ grantId }));
    expect(fault).toMatchObject({
      kind: "usage",
      message: expect.stringMatching(/^odd\.bin: This text has no line that names/),
    });
    expect(fault.message).not.toContain(dataFolder);
    expect(copied()).toEqual([]);
  });

  it.each([
    ["no secret", { authorization: undefined }],
    ["another secret", { authorization: `Bearer ${"x".repeat(43)}` }],
    ["a secret of another kind", { authorization: "Basic eDp5" }],
    ["a cookie", { authorization: undefined, cookie: "zenith=x" }],
    ["no origin", { origin: undefined }],
    ["another origin", { origin: "https://example.org" }],
    ["another port of this computer", { origin: "http://127.0.0.1:1" }],
    ["an opaque origin", { origin: "null" }],
    ["another site", { "sec-fetch-site": "cross-site" }],
    ["another port, as reported by the browser", { "sec-fetch-site": "same-site" }],
    ["another host", { host: "example.org", origin: "http://example.org" }],
  ])("are rejected with %s", async (_, headers) => {
    const response = await send(TABLE, { headers: { ...validHeaders, ...headers } });
    expect(response).toMatchObject({
      status: "authorization" in headers ? 401 : 403,
      text: expect.stringMatching(/^[A-Z].*\.\n$/s),
    });
    expect(copied()).toEqual([]);
  });

  it("are accepted only with POST, a name and the right path", async () => {
    expect((await send("", { method: "GET" })).status).toBe(405);
    expect((await send(TABLE, { method: "PUT" })).status).toBe(405);
    expect((await send(TABLE, { path: "/open" })).status).toBe(400);
    expect((await send(TABLE, { path: "/open/../user.db?name=x" })).status).toBe(405);
    expect((await send(TABLE, { path: "/" })).status).toBe(405);
  });

  it("are rejected if they are too large, with or without a content length", async () => {
    const large = Buffer.alloc(MOST_BYTES + 1, "x");
    const declared = await send(large, { headers: { ...validHeaders, "content-length": String(large.length) } }).catch(
      () => null,
    );
    expect(declared?.status ?? 413).toBe(413);
    const chunked = await send(large, { headers: { ...validHeaders, "transfer-encoding": "chunked" } }).catch(
      () => null,
    );
    expect(chunked?.status ?? 413).toBe(413);
    await expect.poll(copied).toEqual([]);
  });

  it("leave no copy if the page disconnects during the upload", async () => {
    await send(TABLE, { headers: { ...validHeaders, "content-length": "5000" }, isCut: true }).catch(() => null);
    await expect.poll(copied).toEqual([]);
    expect((await send(TABLE)).status).toBe(200);
  });

  it("are removed after a crash of the core, with an event for the page", async () => {
    const { grantId } = JSON.parse((await send(TABLE)).text) as FileGrant;
    valueOf(await bridge.files.open({ grantId }));
    const restarted = new Promise((resolve) => bridge.on("coreRestarted", resolve));
    await test.shell.killCore();
    await restarted;
    expect(valueOf(await bridge.files.list({}))).toEqual([]);
    expect(copied()).toEqual([]);
  });
});

it("the web shell removes copies of files when it closes", async () => {
  const dataFolder = scratchFolder();
  const test = await openTestShell({ dataFolder });
  mkdirSync(join(dataFolder, "opened"));
  writeFileSync(join(dataFolder, "opened", "copy"), "of a file that is open");
  await test.close();
  expect(existsSync(join(dataFolder, "opened"))).toBe(false);
});
