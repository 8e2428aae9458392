import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createReleaseWatch, releaseAddress } from "#main/app/releases.ts";
import { createTransport } from "#main/client/index.ts";
import { isNewer } from "#main/client/otherServers.ts";
import { VERSION } from "#main/program.ts";
import { makeHome } from "../cli/program.ts";

// A release feed on this computer, with a response set by each test.

const home = makeHome();
let respond: RequestListener;
const requests: IncomingMessage[] = [];
const transport = createTransport();
const never = new AbortController().signal;

const server = createServer((request, response) => {
  requests.push(request);
  respond(request, response);
}).listen(0, "127.0.0.1");
await once(server, "listening");
beforeEach(() => {
  requests.length = 0;
  vi.stubEnv("ZENITH_RELEASES", `http://127.0.0.1:${(server.address() as AddressInfo).port}/releases`);
});
afterEach(() => vi.unstubAllEnvs());
afterAll(async () => {
  await transport.close();
  server.close();
});

const feed =
  (content: unknown): RequestListener =>
  (_, response) =>
    void response.end(JSON.stringify(content));
async function checked(listener: RequestListener) {
  respond = listener;
  return watch(false).ask(true);
}

const huge: RequestListener = (_, response) => {
  const more = (): void => void (response.writable && response.write("x".repeat(65_536), more));
  more();
};
const html: RequestListener = (_, response) => void response.end("<!doctype html><script>alert(1)</script>");
const address = (text: string): string | null => releaseAddress({ ZENITH_RELEASES: text })?.href ?? null;
const run = (...words: string[]) => home.run(["version", ...words]);
const NEXT = { version: "99.1.0", date: "2026-12-01", notes: ["Faster.", "Zarr."] };

/** A check with separate settings and the clock of the test. */
function watch(checkReleases: boolean) {
  const kept = new Map([["settings", JSON.stringify({ checkReleases })]]);
  const clock = { ms: Date.parse("2026-06-01T00:00:00Z"), wallMs: () => clock.ms };
  const users = {
    assertWritable() {},
    setting: (name: string) => kept.get(name) ?? null,
    putSetting: (name: string, value: string | null) => void kept.set(name, value ?? ""),
  };
  const check = createReleaseWatch(users, transport.send, clock);
  return { clock, ask: (isAsked: boolean) => check(isAsked, never) };
}

describe("the check for a newer version", () => {
  it("sends a request only if it is enabled, and then once a day", async () => {
    respond = feed(NEXT);
    expect(await watch(false).ask(false)).toEqual({ ok: true, value: null });
    expect(requests).toHaveLength(0);
    const { clock, ask } = watch(true);
    const news = { ok: true, value: { newer: NEXT, address: process.env["ZENITH_RELEASES"] + "/" } };
    for (let hour = 0; hour < 24; hour++, clock.ms += 3_600_000) expect(await ask(false)).toEqual(news);
    expect(requests).toHaveLength(1);
    await ask(false);
    expect(requests).toHaveLength(2);
    expect(await watch(false).ask(true)).toEqual(news);
    expect(requests).toHaveLength(3);
  });

  it("sends only the address of the feed", async () => {
    respond = feed(NEXT);
    await watch(true).ask(false);
    const [{ method, url, headers } = {} as IncomingMessage] = requests;
    expect([method, url]).toEqual(["GET", "/releases/latest.json"]);
    expect(Object.keys(headers).toSorted()).toEqual(["accept", "connection", "host"]);
  });

  it("is not repeated by every window if the feed is unreachable", async () => {
    respond = (request) => void request.socket.destroy();
    const { ask } = watch(true);
    expect(await ask(false)).toMatchObject({ ok: false, error: { kind: "network" } });
    expect(await ask(false)).toMatchObject({ ok: true, value: { newer: null } });
    expect(requests).toHaveLength(1);
  });

  it("uses https, except on this computer, and ignores a placeholder", () => {
    expect(address("https://example.org/a")).toBe("https://example.org/a/");
    expect(address("http://127.0.0.1:8/")).toBe("http://127.0.0.1:8/");
    for (const refused of [
      "http://example.org/",
      "ftp://example.org/",
      "https://u:p@example.org/",
      "https://a.invalid/",
      "",
    ])
      expect(address(refused)).toBeNull();
  });

  it("compares versions numerically", () => {
    expect(isNewer("0.10.0", "0.9.9")).toBe(true);
    for (const older of ["0.9.9", "0.10.0", "0.0.11"]) expect(isNewer(older, "0.10.0")).toBe(false);
  });
});

describe("a hostile feed", () => {
  it.each<[string, RequestListener]>([
    ["an endless response", huge],
    ["an HTML page", html],
    ["an invalid version", feed({ version: "99.1.0-<b>", notes: [] })],
    ["a list", feed([])],
    ["an error", (_, response) => void response.writeHead(500).end("no")],
    ["a redirect loop", (_, response) => void response.writeHead(302, { location: "/again" }).end()],
    ["a redirect to http", (_, response) => void response.writeHead(302, { location: "http://example.org/" }).end()],
  ])("is rejected: %s", async (_, listener) => {
    const { ok } = await checked(listener);
    expect(ok).toBe(false);
    expect(requests.length).toBeLessThan(6);
  });

  it("cannot offer an older or the current version", async () => {
    for (const version of ["0.0.1", VERSION])
      expect(await checked(feed({ version }))).toMatchObject({ ok: true, value: { newer: null } });
  });

  it("is shown as plain text of limited length", async () => {
    const notes = [
      "<script>alert(1)</script>Fast<b>er</b>",
      "a\u202Eb\u0007",
      "x".repeat(1_000),
      ...Array(100).fill("n"),
    ];
    const found = await checked(feed({ version: "99.0.0", notes, page: "https://evil.example/", date: "soon" }));
    expect(found.ok).toBe(false);
    const offered = await checked(feed({ version: "99.0.0", notes, page: "https://evil.example/" }));
    const newer = offered.ok ? offered.value?.newer : null;
    expect(newer?.notes.slice(0, 2)).toEqual(["Fast er", "a b"]);
    expect(newer?.notes).toHaveLength(30);
    expect(Math.max(...(newer?.notes ?? []).map((note) => note.length))).toBeLessThan(310);
    expect(JSON.stringify(offered)).not.toContain("evil");
  });
});

describe("zenith version", () => {
  it("sends no request without --check", async () => {
    respond = feed(NEXT);
    const plain = await run();
    expect(plain).toMatchObject({ code: 0, stderr: "" });
    expect(plain.stdout.split("\n")[0]).toBe(VERSION);
    expect(requests).toHaveLength(0);
    const { stdout, code } = await run("--check");
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^Version 99\.1\.0 of 2026-12-01 is available at .*\n- Faster\.\n- Zarr\.\n$/),
    ]);
    expect(requests).toHaveLength(1);
  });

  it("--check exits with 2 without a feed", async () => {
    const without = await home.run(["version", "--check"], { env: { ZENITH_RELEASES: "" } });
    expect(without).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("does not know") });
  });
});
