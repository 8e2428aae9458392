import { connect } from "node:net";
import { readFileSync } from "node:fs";
import { array, assert, asyncProperty, constantFrom, string } from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { SECRET_PROTOCOL_START, SOCKET_PROTOCOL } from "#shared/bridge/transport/webShell.ts";
import { webShell } from "./page.ts";

describe("the gate of the web shell", async () => {
  const test = await webShell();
  const secret = await test.secret();

  it("serves the page to everyone, without cookies and secrets", async () => {
    const page = await test.request("/", { headers: { cookie: "zenith=1", authorization: `Bearer ${secret}` } });
    expect(page).toMatchObject({ status: 200, body: expect.stringContaining("the page") });
    expect(page.headers["set-cookie"]).toBeUndefined();
    expect(JSON.stringify(page)).not.toContain(secret);
  });

  it("exchanges the token of a link for a secret, once", async () => {
    const token = test.newToken();
    expect(Buffer.from(token, "base64url")).toHaveLength(32);
    const first = await test.call("sign-in", token);
    expect(first).toMatchObject({ status: 200, headers: { "cache-control": "no-store" } });
    expect(first.headers["set-cookie"]).toBeUndefined();
    expect(first.body.trim()).toMatch(/^[\w-]{43}$/);
    expect(first.body.trim()).not.toBe(token);
    expect(await test.call("sign-in", token)).toMatchObject({ status: 401 });
    expect(await test.call("check", token)).toMatchObject({ status: 401 });
    expect(await test.call("check", first.body.trim())).toMatchObject({ status: 204, body: "" });
    // Of two simultaneous requests, one succeeds.
    const contested = test.newToken();
    const both = await Promise.all([test.call("sign-in", contested), test.call("sign-in", contested)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 401]);
  });

  it("issues a link to signed-in browsers that signs in another browser", async () => {
    const { body } = await test.call("link", secret);
    const other = (await test.call("sign-in", body.trim())).body.trim();
    expect(other).not.toBe(secret);
    expect(await test.call("check", other)).toMatchObject({ status: 204 });
  });

  const PROTECTED = ["check", "link", "sign-out", "ticket", "restart"] as const;
  it.each([
    ["no authorization", undefined],
    ["an empty secret", "Bearer "],
    ["another secret", `Bearer ${"x".repeat(43)}`],
    ["a secret with a wrong last character", "NEARLY"],
    ["another authentication scheme", "BASIC"],
    ["two secrets", "TWO"],
    ["an unused token", "TOKEN"],
  ])("rejects calls with %s", async (_what, authorization) => {
    const forged: Record<string, string> = {
      NEARLY: `Bearer ${secret.slice(0, -1)}${secret.endsWith("A") ? "E" : "A"}`,
      BASIC: `Basic ${secret}`,
      TWO: `Bearer ${secret}, Bearer ${secret}`,
      TOKEN: `Bearer ${test.newToken()}`,
    };
    const sent = authorization === undefined ? undefined : (forged[authorization] ?? authorization);
    for (const call of PROTECTED)
      expect([call, (await test.call(call, "", "", { authorization: sent })).status]).toEqual([call, 401]);
    // The secret is not accepted in a cookie, an address or another header.
    const misplaced = { authorization: undefined, cookie: `zenith-secret=${secret}`, "x-secret": secret };
    for (const call of PROTECTED) expect((await test.call(call, "", `?secret=${secret}`, misplaced)).status).toBe(401);
    expect(await test.call("check", secret)).toMatchObject({ status: 204 });
  });

  it.each([
    ["another origin", { origin: "http://evil.example" }],
    ["another port of this computer", { origin: "http://127.0.0.1:1" }],
    ["no origin", { origin: undefined }],
    ["an opaque origin", { origin: "null" }],
    ["another site, as reported by the browser", { "sec-fetch-site": "cross-site" }],
    ["another port, as reported by the browser", { "sec-fetch-site": "same-site" }],
    ["a rebound name", { host: "evil.example", origin: "http://evil.example" }],
  ])("rejects calls from %s, even with a valid secret", async (_what, headers: Record<string, string | undefined>) => {
    const token = test.newToken();
    for (const call of ["sign-in", ...PROTECTED] as const)
      expect((await test.call(call, call === "sign-in" ? token : secret, "", headers)).status).toBe(403);
    expect(await test.call("sign-in", token)).toMatchObject({ status: 200 });
  });

  it("accepts calls only with POST", async () => {
    for (const method of ["GET", "HEAD", "PUT", "OPTIONS"]) {
      const headers = { origin: `http://${test.host}`, authorization: `Bearer ${secret}` };
      const response = await test.request("/shell/link", { method, headers });
      expect(response).toMatchObject({ status: 405, headers: { allow: "POST" } });
    }
  });

  it.each(["localhost", "LOCALHOST:9", "127.0.0.1:4711", "[::1]:80"])("accepts the loopback name %s", async (host) => {
    expect(await test.request("/", { headers: { host } })).toMatchObject({ status: 200 });
  });

  it.each([
    "evil.example",
    "evil.example:PORT",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "localhost@evil.example",
    "127.0.0.2",
    "0.0.0.0",
    "localhost:1:2",
    "",
  ])("rejects the host name “%s”", async (name) => {
    const host = name.replace("PORT", String(test.port));
    expect(await test.request("/", { headers: { host } })).toMatchObject({ status: 403 });
  });

  it("rejects a request without a host name", async () => {
    const text = await raw(test.port, "GET / HTTP/1.0\r\nConnection: close\r\n\r\n");
    expect(text).toMatch(/^HTTP\/1.1 40[03]/);
  });

  it.each(["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "PROPFIND"])(
    "rejects the method %s",
    async (method) => {
      expect(await test.request("/", { method })).toMatchObject({
        status: 405,
        headers: { allow: "GET, HEAD" },
      });
    },
  );

  it("responds to HEAD without a body", async () => {
    const response = await test.request("/", { method: "HEAD" });
    expect(response).toMatchObject({ status: 200, body: "" });
    expect(Number(response.headers["content-length"])).toBeGreaterThan(10);
  });

  it("rejects scripts and frames of pages from other ports, but accepts links", async () => {
    for (const site of ["same-site", "cross-site"]) {
      const load = { "sec-fetch-site": site, "sec-fetch-mode": "no-cors", "sec-fetch-dest": "script" };
      expect(await test.request("/assets/index-1a2b3c.js", { headers: load })).toMatchObject({ status: 403 });
      const frame = { "sec-fetch-site": site, "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe" };
      expect(await test.request("/", { headers: frame })).toMatchObject({ status: 403 });
      const link = { "sec-fetch-site": site, "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
      expect(await test.request("/", { headers: link })).toMatchObject({ status: 200 });
    }
  });

  it("sends the policy with every response, including rejections", async () => {
    const responses = [
      await test.request("/"),
      await test.request("/assets/index-1a2b3c.js"),
      await test.request("/nothing"),
      await test.request("/download/1/a.nc"),
      await test.request("/", { method: "POST" }),
      await test.call("check", secret),
      await test.call("link", secret),
      await test.call("link", "no"),
    ];
    for (const { headers } of responses) {
      expect(headers["content-security-policy"]).toContain("default-src 'none'");
      expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
      expect(headers["content-security-policy"]).not.toMatch(/unsafe/);
      expect(headers).toMatchObject({
        "x-content-type-options": "nosniff",
        "cross-origin-resource-policy": "same-origin",
        "referrer-policy": "no-referrer",
      });
      expect(headers["access-control-allow-origin"]).toBeUndefined();
    }
  });

  it("serves only files of the page folder", async () => {
    const secret = readFileSync(`${test.folder}/secret.txt`, "utf8");
    const piece = constantFrom("..", "%2e%2e", "%2E.", ".", "%2f", "/", "\\", "%5c", "%00", "assets", "page");
    const name = constantFrom("secret.txt", "data/user.db", "data/keys", "data/open.pid", "index.html", "etc/passwd");
    await assert(
      asyncProperty(array(piece, { maxLength: 8 }), name, constantFrom("/", ""), async (parts, end, joint) => {
        const response = await test.request(`/${parts.join(joint)}${joint}${end}`);
        expect([200, 404]).toContain(response.status);
        expect(response.body).not.toContain(secret);
        const isPage = response.headers["content-type"] === "text/html; charset=utf-8";
        expect(isPage).toBe(response.status === 200);
      }),
      { numRuns: 400 },
    );
  });

  it("responds to any path", async () => {
    await assert(
      asyncProperty(string({ unit: "binary-ascii", maxLength: 60 }), async (path) => {
        const safe = path.replaceAll(/[\r\n\s]/g, "");
        const text = await raw(test.port, `GET /${safe} HTTP/1.1\r\nHost: ${test.host}\r\nConnection: close\r\n\r\n`);
        expect(text).toMatch(/^HTTP\/1.1 (4\d\d|200)/);
      }),
      { numRuns: 100 },
    );
  });

  describe("for sockets", () => {
    let protocols: readonly string[] = [];
    let own: Record<string, string> = {};
    beforeAll(() => {
      protocols = [SOCKET_PROTOCOL, SECRET_PROTOCOL_START + secret];
      own = { origin: `http://${test.host}` };
    });

    it("accepts the page, also through a tunnel with another port", async () => {
      expect(await test.tryUpgrade(protocols, own)).toBe("open");
      expect(await test.tryUpgrade(protocols, { host: "localhost:9999", origin: "http://localhost:9999" })).toBe(
        "open",
      );
    });

    it("does not return the secret", async () => {
      const socket = await test.socket(secret);
      expect(socket.protocol).toBe(SOCKET_PROTOCOL);
      socket.terminate();
    });

    it.each([
      ["another origin", { origin: "http://evil.example" }],
      ["another port of this computer", { origin: "http://127.0.0.1:1" }],
      ["another name of this computer", { origin: "http://localhost:PORT" }],
      ["another scheme", { origin: "https://127.0.0.1:PORT" }],
      ["an opaque origin", { origin: "null" }],
      ["a rebound name", { host: "evil.example:PORT", origin: "http://evil.example:PORT" }],
    ])("rejects %s", async (_what, wrong: Record<string, string>) => {
      const sent = Object.fromEntries(
        Object.entries({ ...own, ...wrong }).map(([k, v]) => [k, v.replace("PORT", String(test.port))]),
      );
      expect(await test.tryUpgrade(protocols, sent)).toBe(403);
    });

    it("rejects missing and wrong secrets", async () => {
      const start = SECRET_PROTOCOL_START;
      const wrong = [
        [],
        [SOCKET_PROTOCOL],
        [SOCKET_PROTOCOL, start],
        [SOCKET_PROTOCOL, start + "x".repeat(43)],
        [SOCKET_PROTOCOL, secret],
        [start + secret],
        [SOCKET_PROTOCOL, start + test.newToken()],
      ];
      const cookie = `zenith-secret=${secret}`;
      for (const offered of wrong) expect(await test.tryUpgrade(offered, { ...own, cookie })).toBe(403);
    });

    it("rejects requests without an origin, and other paths", async () => {
      expect(await test.tryUpgrade(protocols, {})).toBe(403);
      expect(await test.tryUpgrade(protocols, own, "/")).toBe(403);
      expect(await test.tryUpgrade(protocols, own, "/bridge/x")).toBe(403);
      expect(await test.tryUpgrade(protocols, own, `/bridge?secret=${secret}`)).toBe(403);
    });
  });
});

/** Sends these bytes and returns the response. */
function raw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let response = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(text, "latin1"));
    socket.setEncoding("latin1").on("data", (piece: string) => (response += piece));
    socket.on("end", () => resolve(response)).on("error", reject);
  });
}
