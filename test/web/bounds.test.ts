import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { existsSync, readdirSync } from "node:fs";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { pack } from "#shared/bridge/transport/pack.ts";
import type { Bounds } from "../../src/main/web/bounds.ts";
import { openTestShell, type TestShell } from "./shell.ts";

// Callers who mean no good, with nothing but sockets. What ends by a time limit waits here for less than a second.
describe("the bounds of the web shell", () => {
  let test: TestShell;
  const sockets: Socket[] = [];
  let usual: TestShell | null = null;
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    if (test !== usual) await test.close();
  });
  afterAll(() => usual?.close());

  /** A shell with these bounds; the one with the usual bounds is for all tests. */
  async function open(bounds?: Partial<Bounds>): Promise<void> {
    test = bounds ? await openTestShell({ bounds, mostUploadBytes: 1_000_000 }) : (usual ??= await openTestShell());
  }

  /** A connection that has said this much; `ended` is what it got until it was closed. */
  function caller(said = ""): { socket: Socket; ended: Promise<string> } {
    const socket = connect(test.port, "127.0.0.1");
    sockets.push(socket);
    let got = "";
    socket.on("data", (piece) => (got += piece.toString("latin1")));
    socket.on("error", () => {});
    if (said) socket.write(said, "latin1");
    // By a reset too, which is an error for Node.
    return { socket, ended: new Promise((resolve) => socket.once("close", () => resolve(got))) };
  }

  async function expectServed(): Promise<void> {
    const secret = await test.secret();
    const window = await test.socket(secret);
    const answer = once(window, "message");
    window.send(pack({ id: 1, call: "system.about", input: {} }));
    await answer;
    window.terminate();
    expect(await test.ask("/")).toMatchObject({ status: 200 });
  }

  it.each([
    ["says nothing", ""],
    ["does not end its head", "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: "],
    ["does not end its second head", "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET / HTT"],
  ])("end a caller who %s", async (_what, said) => {
    await open({ headMs: 200 });
    expect(await caller(said).ended).toMatch(/^(HTTP\/1.1 200[^]*the page)?(HTTP\/1.1 408[^]*)?$/);
    await expectServed();
  });

  it("end a head that comes a letter at a time", async () => {
    await open({ headMs: 300 });
    const { socket, ended } = caller("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ");
    const drip = setInterval(() => socket.writable && socket.write("a"), 20);
    expect(await ended).not.toContain("200");
    clearInterval(drip);
  });

  it("end a caller who stays after the answer, and one who sends a body that nobody asked for", async () => {
    await open({ idleMs: 300 });
    const path = `GET /assets/index-1a2b3c.js HTTP/1.1\r\nHost: ${test.host}\r\n\r\n`;
    expect(await caller(path).ended).toMatch(/^HTTP\/1.1 200/);
    const body = `POST /shell/link HTTP/1.1\r\nHost: ${test.host}\r\nContent-Length: 1000000\r\n\r\nabc`;
    expect(await caller(body).ended).toMatch(/^HTTP\/1.1 403[^]*connection: close/i);
    const chunked = `GET / HTTP/1.1\r\nHost: ${test.host}\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc`;
    expect(await caller(chunked).ended).toMatch(/^HTTP\/1.1 200[^]*connection: close/i);
  });

  it("end a file that does not come, or comes a letter at a time, and leave no copy", async () => {
    await open({ bodyMs: 250 });
    const head = await test
      .secret()
      .then(
        (secret) =>
          `POST /open?name=a.csv HTTP/1.1\r\nHost: ${test.host}\r\nOrigin: http://${test.host}\r\n` +
          `Authorization: Bearer ${secret}\r\nContent-Length: 900000\r\n\r\n`,
      );
    const { socket, ended } = caller(head);
    const drip = setInterval(() => socket.writable && socket.write("a"), 20);
    await Promise.all([ended, caller(head).ended]);
    clearInterval(drip);
    await expect.poll(() => readdirSync(`${test.folder}/data/opened`)).toEqual([]);
  });

  it.each([
    [
      "a head that is too large",
      `GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: ${"a".repeat(17_000)}\r\n\r\n`,
      /^HTTP\/1.1 431/,
    ],
    ["too many headers", `GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n${"a: b\r\n".repeat(3_000)}\r\n`, /^HTTP\/1.1 431/],
    ["an address that is too long", `GET /${"a".repeat(17_000)} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`, /^HTTP\/1.1 431/],
    ["what is no HTTP", "\u0016\u0003\u0001\u0002\u0000\u0001\r\n\r\n", /^HTTP\/1.1 400/],
    [
      "two lengths",
      "POST /open HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
      /^HTTP\/1.1 400/,
    ],
    [
      "a length and pieces",
      "POST /open HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      /^HTTP\/1.1 400/,
    ],
    [
      "an upgrade to something else",
      "GET /bridge HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n",
      /^HTTP\/1.1 403/,
    ],
  ])("refuse %s, and go on", async (_what, said, answer) => {
    await open();
    expect(await caller(said).ended).toMatch(answer);
    await expectServed();
  });

  it("let a window in while 500 unauthenticated hold connections, and close the oldest of them", async () => {
    await open({ unauthenticated: 20 });
    const secret = await test.secret();
    const window = await test.socket(secret);
    const closed: Promise<string>[] = [];
    for (let i = 0; i < 500; i++) {
      const { socket, ended } = caller("GET / HTTP/1.1\r\nX-A: ");
      closed.push(ended);
      await once(socket, "connect");
    }
    await Promise.all(closed.slice(0, 480));
    expect(window.readyState).toBe(window.OPEN);
    await expectServed();
    window.terminate();
  });

  it("end the transfers under way when everybody is signed out", async () => {
    await open();
    const secret = await test.secret();
    const head =
      `POST /open?name=a.csv HTTP/1.1\r\nHost: ${test.host}\r\nOrigin: http://${test.host}\r\n` +
      `Authorization: Bearer ${secret}\r\nContent-Length: 900000\r\n\r\nsome of it`;
    const { ended } = caller(head);
    const copies = `${test.folder}/data/opened`;
    await expect.poll(() => existsSync(copies) && readdirSync(copies).length).toBe(1);
    await test.call("sign-out", secret);
    expect(await ended).toBe("");
    await expect.poll(() => readdirSync(copies)).toEqual([]);
  });

  it("hold no more windows than they say, and free a place when one goes", async () => {
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

  it("answer hundreds of requests that are sent ahead on one connection from one copy, or end it", async () => {
    await open({ idleMs: 500 });
    const one = `GET /assets/index-1a2b3c.js HTTP/1.1\r\nHost: ${test.host}\r\n\r\n`;
    const got = await caller(one.repeat(1_000)).ended;
    expect(got.match(/HTTP\/1.1 200/g)?.length).toBe(200);
    await expectServed();
  });
});
