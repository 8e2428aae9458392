import { fork } from "node:child_process";
import { once } from "node:events";
import { request as open, type IncomingMessage } from "node:http";
import { setTimeout } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { tries } from "../support/endurance.ts";
import { callQuery, get, query } from "./call.ts";
import { started, WORLD } from "./start.ts";
import { itNightly } from "../support/needs.ts";

const IDS = WORLD.stations.filter((s) => s.resolutionSeconds === 30 && s.firstDataMs !== null).map((s) => s.id);
const HOUR = {
  start_time: "2026-01-01T00:00:00Z",
  end_time: "2026-01-01T01:00:00Z",
  station_ids: IDS,
  data_vars: ["ztd"],
};
const JSON_TYPE = { Accept: "application/json" };

/** Over a million rows of three variables. */
function million(ids: readonly string[]): object {
  const range = { start_time: "2026-01-01T00:00:00Z", end_time: "2026-02-10T00:00:00Z" };
  return { ...range, station_ids: ids.slice(0, 10), data_vars: ["ztd", "ztd_sigma", "pwv"] };
}

/** Sends a query and returns the unread response as soon as it begins. */
async function begin(url: string, body: object): Promise<IncomingMessage> {
  const headers = { "X-API-Key": "key-a", "Content-Type": "application/json", ...JSON_TYPE };
  const request = open(`${url}/api/v1/measurements/query`, { method: "POST", headers });
  request.end(JSON.stringify(body));
  const [response] = (await once(request, "response")) as [IncomingMessage];
  response.on("error", () => undefined);
  return response;
}

async function drain(response: IncomingMessage): Promise<number> {
  let bytes = 0;
  for await (const piece of response as AsyncIterable<Uint8Array>) bytes += piece.length;
  return bytes;
}

describe("compression", () => {
  it("gzip: only for clients that accept it, with the same content", async () => {
    const service = await started();
    const plain = await callQuery(service, HOUR, { headers: JSON_TYPE });
    expect(plain.headers["content-encoding"]).toBeUndefined();
    for (const accept of ["gzip", "br, gzip;q=0.5", "*"]) {
      const zipped = await callQuery(service, HOUR, { headers: { ...JSON_TYPE, "Accept-Encoding": accept } });
      expect(zipped.headers["content-encoding"]).toBe("gzip");
      expect(zipped.body.length).toBeLessThan(plain.body.length / 5);
      expect(gunzipSync(zipped.body).equals(plain.body)).toBe(true);
    }
    for (const accept of ["identity", "br", "gzip;q=0", "gzip;q=0, *"]) {
      const response = await callQuery(service, HOUR, { headers: { ...JSON_TYPE, "Accept-Encoding": accept } });
      expect([accept, response.headers["content-encoding"]]).toEqual([accept, undefined]);
    }
  });

  it("gzip: can be disabled, and is omitted for small responses", async () => {
    const service = await started();
    const headers = { ...JSON_TYPE, "Accept-Encoding": "gzip" };
    expect((await get(service, "/networks?page_size=1", { headers })).headers["content-encoding"]).toBeUndefined();
    expect((await get(service, "/stations", { headers })).headers["content-encoding"]).toBe("gzip");
    service.configure({ gzip: false });
    expect((await query(service, HOUR, { headers })).headers["content-encoding"]).toBeUndefined();
  });
});

describe("streaming", () => {
  itNightly(
    "stream: hundreds of thousands of rows are sent while the memory of the service stays constant",
    async () => {
      const child = fork(new URL("serviceProcess.ts", import.meta.url), { execArgv: ["--expose-gc"] });
      onTestFinished(() => void child.kill());
      const [{ url }] = (await once(child, "message")) as [{ url: string }];
      const resident = async (): Promise<number> => {
        child.send("memory");
        const [{ residentBytes }] = (await once(child, "message")) as [{ residentBytes: number }];
        return residentBytes;
      };
      // Ids depend on the seed; the other process uses the default one.
      const headers = { "X-API-Key": "key-a" };
      const list = await fetch(`${url}/api/v1/stations?country_code=FI&page_size=200`, { headers });
      const { stations } = (await list.json()) as { stations: { id: string; resolution_seconds: number }[] };
      const ids = stations.filter((s) => s.resolution_seconds === 30).map((s) => s.id);
      // A part of it, after which the process has the memory that any response needs.
      await drain(await begin(url, { ...million(ids), end_time: "2026-01-05T00:00:00Z" }));
      const before = await resident();
      const days = tries(14, 40);
      const end_time = new Date(Date.UTC(2026, 0, 1 + days)).toISOString();
      const response = await begin(url, { ...million(ids), end_time });
      let bytes = 0;
      let most = 0;
      let next = 0;
      for await (const piece of response as AsyncIterable<Uint8Array>) {
        bytes += piece.length;
        if (bytes < next) continue;
        next += 5_000_000;
        most = Math.max(most, await resident());
      }
      expect(bytes).toBeGreaterThan(days * 3_750_000);
      expect(most - before).toBeLessThan(40_000_000);
    },
  );

  it("stream: a client that does not read pauses the computation, and one that disconnects ends it", async () => {
    const service = await started();
    const response = await begin(service.url, million(IDS));
    const record = service.stats.log[0]!;
    await expect
      .poll(async () => {
        const { rows } = record;
        await setTimeout(50);
        return record.rows - rows;
      })
      .toBe(0);
    expect(record.rows).toBeGreaterThan(0);
    expect(record.rows).toBeLessThan(200_000);
    response.destroy();
    await expect.poll(() => service.stats.underWay).toBe(0);
    expect([record.isAborted, service.stats.aborted]).toEqual([true, 1]);
  });

  it("stream: other requests are served during a long response", async () => {
    const service = await started();
    const response = await begin(service.url, million(IDS));
    let isRead = false;
    const reading = drain(response).then(() => (isRead = true));
    expect((await get(service, "/networks")).status).toBe(200);
    expect(isRead).toBe(false);
    response.destroy();
    await reading.catch(() => undefined);
  });

  it("stream: a client that disconnects before the response begins ends the computation", async () => {
    const service = await started();
    const stream = WORLD.stations.filter((s) => s.nativeSeconds === 1).map((s) => s.id);
    const body = {
      start_time: "2024-01-01T00:00:00Z",
      end_time: "2026-01-01T00:00:00Z",
      station_ids: stream,
      data_vars: ["ztd"],
    };
    const headers = { "X-API-Key": "key-a", "Content-Type": "application/json", ...JSON_TYPE };
    const request = open(`${service.url}/api/v1/measurements/query`, { method: "POST", headers });
    request.on("error", () => undefined);
    request.end(JSON.stringify({ ...body, interval_seconds: 86_400 }));
    await expect.poll(() => service.stats.underWay).toBe(1);
    request.destroy();
    await expect.poll(() => service.stats.underWay).toBe(0);
    expect(service.stats.log[0]!.status).toBe(0);
  });
});
