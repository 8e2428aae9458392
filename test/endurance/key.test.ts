import { once } from "node:events";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openService } from "../support/openService.ts";
import { makeHome } from "../cli/program.ts";
import { IS_ENDURANCE } from "../support/endurance.ts";

// Long and unusual enough not to occur by chance.
const KEY = "zk-7Qm2+Xv9/Ra4w_Kd83.Lp51=Tn";

/** The key in the encodings of addresses, databases, logs and headers. */
const FORMS = [
  Buffer.from(KEY),
  Buffer.from(encodeURIComponent(KEY)),
  Buffer.from(KEY, "utf16le"),
  Buffer.from(Buffer.from(KEY).toString("base64")),
  Buffer.from(Buffer.from(KEY).toString("hex")),
];

function files(path: string): string[] {
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    const full = join(path, entry.name);
    return entry.isDirectory() ? files(full) : [full];
  });
}

const ORGANIZATION = { key: KEY, name: "test", maxPoints: 5_000, maxConcurrent: 2 };
const service = await openService({ organizations: [ORGANIZATION] });
const home = makeHome();

describe("the API key", () => {
  let output = "";
  const seenByOthers: string[] = [];
  const elsewhere = createServer((request, response) => {
    seenByOthers.push(JSON.stringify([request.url, request.headers]));
    response.end("{}");
  });

  beforeAll(async () => {
    elsewhere.listen(0, "127.0.0.1");
    await once(elsewhere, "listening");
  });
  afterAll(() => void elsewhere.close());

  /** As a process in the endurance run only: its start takes most of the time. */
  async function zenith(...args: string[]): Promise<number | null> {
    const ended = await home.run(args, { env: { ZENITH_API_KEY: KEY }, ...(IS_ENDURANCE && { asProcess: true }) });
    output += ended.stdout + ended.stderr;
    return ended.code;
  }

  it("is in no output and in no file but its own, after splits, rejected requests, failures and exports", async () => {
    const station = service.world.stations.find((s) => s.resolutionSeconds === 30 && s.lastDataMs === null)!;
    const day = "2026-09-02";
    expect(await zenith("connect", service.url, "--name", "main")).toBe(0);
    expect(await zenith("stations", "--refresh")).toBe(0);
    service.setFaults([
      { fault: { kind: "status", status: 503 }, endpoints: ["query"], next: 1 },
      { fault: { kind: "truncated", how: "chunked", afterBytes: 1000 }, endpoints: ["query"], next: 1 },
    ]);
    expect(await zenith("fetch", station.id, "--from", day, "--to", "2026-09-07")).toBe(0);
    expect(await zenith("export", station.id, "--day", day, "--out", "day.nc")).toBe(0);
    expect(await zenith("export", station.id, "--day", day, "--out", "day.csv")).toBe(0);
    expect(await zenith("nearest", station.id, "--json")).toBe(0);
    // All failures that could quote a request: rejected, redirected to another origin, or not from the service.
    const other = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
    service.setFaults([{ fault: { kind: "redirect", origin: other } }]);
    await zenith("stations", "--refresh");
    expect(await zenith("fetch", station.id, "--day", "2026-09-20")).toBe(5);
    service.setFaults([{ fault: { kind: "html" } }]);
    expect(await zenith("nearest", station.id)).toBe(5);
    service.setFaults([]);
    service.setOrganizations([]);
    expect(await zenith("fetch", station.id, "--day", "2026-09-21")).toBe(4);
    expect(await zenith("fetch", station.id, "--day", "2026-09-21", "--key", KEY)).toBe(2);

    const left = files(home.folder);
    expect(left.length).toBeGreaterThan(6);
    const holding = left.filter((path) => FORMS.some((form) => readFileSync(path).includes(form)));
    const own = holding.filter((path) => path.endsWith(".key"));
    expect(holding).toEqual(own);
    for (const path of own) expect(statSync(path).mode & 0o077).toBe(0);
    for (const form of FORMS) expect(output.includes(form.toString("latin1"))).toBe(false);
    expect(seenByOthers.filter((r) => r.includes(KEY))).toEqual([]);
    expect(service.stats.log.filter((r) => r.path.includes(encodeURIComponent(KEY)))).toEqual([]);
  }, 120_000);
});
