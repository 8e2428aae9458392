import { connect } from "node:net";
import { readFileSync } from "node:fs";
import { array, assert, asyncProperty, constantFrom, string } from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestShell, type TestShell } from "./shell.ts";

describe("the gate of the web shell", () => {
  let test: TestShell;
  let cookie = "";
  beforeAll(async () => {
    test = await openTestShell();
    cookie = await test.cookie();
  });
  afterAll(() => test.close());

  it("exchanges the token for a cookie that scripts and other sites do not get, and takes it off the address", async () => {
    const welcome = await test.ask(`/?token=${test.token}`);
    expect(welcome).toMatchObject({ status: 303, headers: { location: "/", "cache-control": "no-store" } });
    expect(welcome.headers["set-cookie"]).toMatch(
      /^zenith_[0-9a-f]{12}=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    expect(welcome.headers["set-cookie"]).not.toContain(test.token);
    expect(Buffer.from(test.token, "base64url")).toHaveLength(32);
    const page = await test.ask("/", { headers: { cookie } });
    expect(page).toMatchObject({ status: 200, body: expect.stringContaining("the page") });
    expect(page.body).not.toContain(test.token);
  });

  it("lets the page itself go on where another site's page led here: a redirect would come without the cookie", async () => {
    const headers = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
    const welcome = await test.ask(`/?token=${test.token}`, { headers });
    expect(welcome).toMatchObject({ status: 200, headers: { "cache-control": "no-store" } });
    expect(welcome.headers["set-cookie"]).toContain("SameSite=Strict");
    expect(welcome.body).toContain('content="0; url=/"');
  });

  it.each([
    ["nothing", {}],
    ["an empty cookie", { cookie: "" }],
    ["the token as the cookie", { cookie: "TOKEN" }],
    ["a cookie that is nearly right", { cookie: "NEARLY" }],
    ["the value under another name", { cookie: "VALUE" }],
  ])("refuses %s", async (_what, headers: { cookie?: string }) => {
    const [name, value] = cookie.split("=") as [string, string];
    const forged: Record<string, string> = {
      TOKEN: `${name}=${test.token}`,
      NEARLY: `${name}=${value.slice(0, -1)}${value.endsWith("A") ? "B" : "A"}`,
      VALUE: `zenith=${value}`,
    };
    const sent = headers.cookie === undefined ? {} : { cookie: forged[headers.cookie] ?? headers.cookie };
    for (const path of ["/", "/assets/index-1a2b3c.js", "/download/1/a.nc", "/?token=", "/?token=x", "/bridge"]) {
      const { status, body, headers: got } = await test.ask(path, { headers: sent });
      expect({ path, status, cookie: got["set-cookie"] }).toEqual({ path, status: 403, cookie: undefined });
      expect(body).not.toContain("the page");
    }
  });

  it("finds its cookie among others", async () => {
    const among = `other=1; ${cookie};zenith_0=2`;
    expect(await test.ask("/", { headers: { cookie: among } })).toMatchObject({ status: 200 });
  });

  it.each(["localhost", "LOCALHOST:9", "127.0.0.1:4711", "[::1]:80"])(
    "answers to the loopback name %s",
    async (host) => {
      expect(await test.ask("/", { headers: { cookie, host } })).toMatchObject({ status: 200 });
    },
  );

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
  ])("refuses the name “%s”, even with the token", async (name) => {
    const host = name.replace("PORT", String(test.port));
    for (const path of ["/", `/?token=${test.token}`]) {
      const answer = await test.ask(path, { headers: { cookie, host } });
      expect(answer.status).toBe(403);
      expect(answer.headers["set-cookie"]).toBeUndefined();
    }
  });

  it("refuses a request without any name", async () => {
    const text = await raw(test.port, `GET / HTTP/1.0\r\nCookie: ${cookie}\r\n\r\n`);
    expect(text).toMatch(/^HTTP\/1.1 40[03]/);
  });

  it.each(["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "PROPFIND"])("refuses %s", async (method) => {
    expect(await test.ask("/", { method, headers: { cookie } })).toMatchObject({
      status: 405,
      headers: { allow: "GET, HEAD" },
    });
  });

  it("answers HEAD without a body", async () => {
    const answer = await test.ask("/", { method: "HEAD", headers: { cookie } });
    expect(answer).toMatchObject({ status: 200, body: "" });
    expect(Number(answer.headers["content-length"])).toBeGreaterThan(10);
  });

  it("does not serve what another port's page loads or frames, although the cookie comes with it", async () => {
    for (const site of ["same-site", "cross-site"]) {
      const load = { cookie, "sec-fetch-site": site, "sec-fetch-mode": "no-cors", "sec-fetch-dest": "script" };
      expect(await test.ask("/assets/index-1a2b3c.js", { headers: load })).toMatchObject({ status: 403 });
      const frame = { cookie, "sec-fetch-site": site, "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe" };
      expect(await test.ask("/", { headers: frame })).toMatchObject({ status: 403 });
      const link = { cookie, "sec-fetch-site": site, "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
      expect(await test.ask("/", { headers: link })).toMatchObject({ status: 200 });
    }
  });

  it("sends the policy with every answer, refusals too", async () => {
    const answers = [
      await test.ask("/", { headers: { cookie } }),
      await test.ask("/assets/index-1a2b3c.js", { headers: { cookie } }),
      await test.ask("/nothing", { headers: { cookie } }),
      await test.ask("/"),
      await test.ask(`/?token=${test.token}`),
      await test.ask("/", { method: "POST", headers: { cookie } }),
    ];
    for (const { headers } of answers) {
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

  it("never leaves the folder of the page", async () => {
    const secret = readFileSync(`${test.folder}/secret.txt`, "utf8");
    const piece = constantFrom("..", "%2e%2e", "%2E.", ".", "%2f", "/", "\\", "%5c", "%00", "assets", "page");
    const name = constantFrom("secret.txt", "data/user.db", "data/keys", "data/open.pid", "index.html", "etc/passwd");
    await assert(
      asyncProperty(array(piece, { maxLength: 8 }), name, constantFrom("/", ""), async (parts, end, joint) => {
        const answer = await test.ask(`/${parts.join(joint)}${joint}${end}`, { headers: { cookie } });
        expect([200, 404]).toContain(answer.status);
        expect(answer.body).not.toContain(secret);
        const isPage = answer.headers["content-type"] === "text/html; charset=utf-8";
        expect(isPage).toBe(answer.status === 200);
      }),
      { numRuns: 400 },
    );
  });

  it("survives any path", async () => {
    await assert(
      asyncProperty(string({ unit: "binary-ascii", maxLength: 60 }), async (path) => {
        const safe = path.replaceAll(/[\r\n\s]/g, "");
        const text = await raw(test.port, `GET /${safe} HTTP/1.1\r\nHost: ${test.host}\r\nConnection: close\r\n\r\n`);
        expect(text).toMatch(/^HTTP\/1.1 4\d\d/);
      }),
      { numRuns: 100 },
    );
  });

  describe("for sockets", () => {
    let own: Record<string, string> = {};
    beforeAll(() => {
      own = { cookie, origin: `http://${test.host}` };
    });

    it("opens to the page itself, at any port of a tunnel", async () => {
      expect(await test.knock(own)).toBe("open");
      expect(await test.knock({ cookie, host: "localhost:9999", origin: "http://localhost:9999" })).toBe("open");
    });

    it.each([
      ["no cookie", { cookie: "" }],
      ["another origin", { origin: "http://evil.example" }],
      ["another port of this computer", { origin: "http://127.0.0.1:1" }],
      ["another name of this computer", { origin: "http://localhost:PORT" }],
      ["another scheme", { origin: "https://127.0.0.1:PORT" }],
      ["no page at all", { origin: "null" }],
      ["a rebound name", { host: "evil.example:PORT", origin: "http://evil.example:PORT" }],
    ])("refuses %s", async (_what, wrong: Record<string, string>) => {
      const sent = Object.fromEntries(
        Object.entries({ ...own, ...wrong }).map(([k, v]) => [k, v.replace("PORT", String(test.port))]),
      );
      expect(await test.knock(sent)).toBe(403);
    });

    it("refuses a caller that names no page, and any other path", async () => {
      expect(await test.knock({ cookie })).toBe(403);
      expect(await test.knock(own, "/")).toBe(403);
      expect(await test.knock(own, "/bridge/x")).toBe(403);
    });
  });
});

/** What comes back for these very bytes. */
function raw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(port, "127.0.0.1", () => socket.end(text, "latin1"));
    socket.setEncoding("latin1").on("data", (piece: string) => (answer += piece));
    socket.on("end", () => resolve(answer)).on("error", reject);
  });
}
