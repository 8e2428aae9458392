import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { existsSync, readdirSync } from "node:fs";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { pack } from "#shared/bridge/transport/pack.ts";
import type { Bounds } from "#main/web/bounds.ts";
import { openTestShell, type TestShell } from "./shell.ts";

// Malicious clients with plain sockets. Time limits are shorter than a second here.
describe("limits of the web shell", () => {
  let test: TestShell;
  const sockets: Socket[] = [];
  let defaultShell: TestShell | null = null;
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    if (test !== defaultShell) await test.close();
  });
  afterAll(() => defaultShell?.close());

  /** Opens a shell with these bounds, or the shared one with default bounds. */
  async function open(bounds?: Partial<Bounds>): Promise<void> {
    test = bounds
      ? await openTestShell({ bounds, mostUploadBytes: 1_000_000 })
      : (defaultShell ??= await openTestShell());
  }

  /** A connection that has sent this text; `ended` resolves with all received data when it is closed. */
  function client(sent = ""): { socket: Socket; ended: Promise<string> } {
    const socket = connect(test.port, "127.0.0.1");
    sockets.push(socket);
    let received = "";
    socket.on("data", (piece) => (received += piece.toString("latin1")));
    socket.on("error", () => {});
    if (sent) socket.write(sent, "latin1");
    // Also after a reset, which is an error for Node.
    return { socket, ended: new Promise((resolve) => socket.once("close", () => resolve(received))) };
  }

  async function expectServed(): Promise<void> {
    const secret = await test.secret();
    const window = await test.socket(secret);
    const answer = once(window, "message");
    window.send(pack({ id: 1, call: "system.about", input: {} }));
    await answer;
    window.terminate();
    expect(await test.request("/")).toMatchObject({ status: 200 });
  }

  it.each([
    ["sends nothing", ""],
    ["does not complete its header", "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: "],
    ["does not complete its second header", "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET / HTT"],
  ])("close a connection that %s", async (_what, sent) => {
    await open({ headMs: 200 });
    expect(await client(sent).ended).toMatch(/^(HTTP\/1.1 200[^]*the page)?(HTTP\/1.1 408[^]*)?$/);
    await expectServed();
  });

  it("close a connection whose header arrives one character at a time", async () => {
    await open({ headMs: 300 });
    const { socket, ended } = client("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ");
    const drip = setInterval(() => socket.writable && socket.write("a"), 20);
    expect(await ended).not.toContain("200");
    clearInterval(drip);
  });

  it("close an idle connection, and one with an unexpected body", async () => {
    await open({ idleMs: 300 });
    const path = `GET /assets/index-1a2b3c.js HTTP/1.1\r\nHost: ${test.host}\r\n\r\n`;
    expect(await client(path).ended).toMatch(/^HTTP\/1.1 200/);
    const body = `POST /shell/link HTTP/1.1\r\nHost: ${test.host}\r\nContent-Length: 1000000\r\n\r\nabc`;
    expect(await client(body).ended).toMatch(/^HTTP\/1.1 403[^]*connection: close/i);
    const chunked = `GET / HTTP/1.1\r\nHost: ${test.host}\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc`;
    expect(await client(chunked).ended).toMatch(/^HTTP\/1.1 200[^]*connection: close/i);
  });

  it("close uploads that stall or arrive one character at a time, and leave no copy", async () => {
    await open({ bodyMs: 250 });
    const head = await test
      .secret()
      .then(
        (secret) =>
          `POST /open?name=a.csv HTTP/1.1\r\nHost: ${test.host}\r\nOrigin: http://${test.host}\r\n` +
          `Authorization: Bearer ${secret}\r\nContent-Length: 900000\r\n\r\n`,
      );
    const { socket, ended } = client(head);
    const drip = setInterval(() => socket.writable && socket.write("a"), 20);
    await Promise.all([ended, client(head).ended]);
    clearInterval(drip);
    await expect.poll(() => readdirSync(`${test.folder}/data/opened`)).toEqual([]);
  });

  it.each([
    [
      "a header that is too large",
      `GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: ${"a".repeat(17_000)}\r\n\r\n`,
      /^HTTP\/1.1 431/,
    ],
    ["too many headers", `GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n${"a: b\r\n".repeat(3_000)}\r\n`, /^HTTP\/1.1 431/],
    ["an address that is too long", `GET /${"a".repeat(17_000)} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`, /^HTTP\/1.1 431/],
    ["invalid HTTP", "\u0016\u0003\u0001\u0002\u0000\u0001\r\n\r\n", /^HTTP\/1.1 400/],
    [
      "two content lengths",
      "POST /open HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
      /^HTTP\/1.1 400/,
    ],
    [
      "a content length with chunked encoding",
      "POST /open HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      /^HTTP\/1.1 400/,
    ],
    [
      "an upgrade to another protocol",
      "GET /bridge HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n",
      /^HTTP\/1.1 403/,
    ],
  ])("reject %s, and serve later requests", async (_what, sent, response) => {
    await open();
    expect(await client(sent).ended).toMatch(response);
    await expectServed();
  });

  it("admit a window despite 500 unauthenticated connections, and close the oldest of these", async () => {
    await open({ unauthenticated: 20 });
    const secret = await test.secret();
    const window = await test.socket(secret);
    const closed: Promise<string>[] = [];
    for (let i = 0; i < 500; i++) {
      const { socket, ended } = client("GET / HTTP/1.1\r\nX-A: ");
      closed.push(ended);
      await once(socket, "connect");
    }
    await Promise.all(closed.slice(0, 480));
    expect(window.readyState).toBe(window.OPEN);
    await expectServed();
    window.terminate();
  });

  it("end running uploads when all browsers are signed out", async () => {
    await open();
    const secret = await test.secret();
    const head =
      `POST /open?name=a.csv HTTP/1.1\r\nHost: ${test.host}\r\nOrigin: http://${test.host}\r\n` +
      `Authorization: Bearer ${secret}\r\nContent-Length: 900000\r\n\r\nsome of it`;
    const { ended } = client(head);
    const copies = `${test.folder}/data/opened`;
    await expect.poll(() => existsSync(copies) && readdirSync(copies).length).toBe(1);
    await test.call("sign-out", secret);
    expect(await ended).toBe("");
    await expect.poll(() => readdirSync(copies)).toEqual([]);
  });

  it("restrict the number of windows, and admit another when one closes", async () => {
    await open({ windows: 3 });
    const secret = await test.secret();
    const windows = [await test.socket(secret), await test.socket(secret), await test.socket(secret)];
    await expect(test.socket(secret)).rejects.toThrow("503");
    const gone = once(windows[0]!, "close");
    windows[0]!.close();
    await gone;
    await expect
      .poll(() =>
        test.socket(secret).then(
          (s) => s.readyState,
          () => null,
        ),
      )
      .toBe(1);
    for (const window of windows) window.terminate();
  });

  it("restrict the number of pipelined requests on one connection", async () => {
    await open({ idleMs: 500 });
    const one = `GET /assets/index-1a2b3c.js HTTP/1.1\r\nHost: ${test.host}\r\n\r\n`;
    const received = await client(one.repeat(1_000)).ended;
    expect(received.match(/HTTP\/1.1 200/g)?.length).toBe(200);
    await expectServed();
  });
});
