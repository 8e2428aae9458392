import { once } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import { connect, createServer, type AddressInfo } from "node:net";
import { createBridgeClient } from "#shared/bridge/client.ts";
import type { Bridge } from "#shared/bridge/contract.ts";
import { pack, unpack } from "#shared/bridge/transport/pack.ts";
import type { ToWindow } from "#shared/bridge/transport/protocol.ts";
import type { WebSocket as RawSocket } from "ws";
import { keepSocket, type SocketState } from "../../src/renderer/bridge/socketChannel.ts";
import { openTestShell, type TestShell } from "./shell.ts";

/** Until it holds; the time limit of the test ends what never does. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}

function messagesOf(socket: RawSocket): ToWindow[] {
  const messages: ToWindow[] = [];
  socket.on("message", (data: ArrayBuffer) => messages.push(unpack(new Uint8Array(data)) as ToWindow));
  return messages;
}

describe("windows over WebSocket", () => {
  let test: TestShell | null = null;
  const ends: (() => void)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0)) end();
    await test?.close();
    test = null;
  });

  it("tells what a page in a browser can and cannot", async () => {
    test = await openTestShell();
    const socket = await test.socket();
    const messages = messagesOf(socket);
    socket.send(pack({ id: 1, call: "system.capabilities", input: {} }));
    await until(() => messages.length === 1);
    expect(messages[0]).toMatchObject({
      id: 1,
      answer: { ok: true, value: { shell: "web", downloads: true, fileDialogs: false, keys: "file" } },
    });
  });

  it.each<[string, (socket: RawSocket) => void]>([
    ["text", (socket) => socket.send('{"id":1,"call":"system.about","input":{}}')],
    ["bytes that are no message", (socket) => socket.send(Uint8Array.of(255, 255, 255, 255, 0, 0, 0, 0))],
    ["a call without a name", (socket) => socket.send(pack({ id: 1, call: { split: 1 }, input: {} }))],
    ["an id that is none", (socket) => socket.send(pack({ id: "x", cancel: true }))],
    ["nothing", (socket) => socket.send(new Uint8Array())],
    ["null", (socket) => socket.send(pack(null))],
    ["an array out of its bounds", (socket) => socket.send(pack({ $array: "Float64Array", at: 0, length: 1e9 }))],
    ["more than a window ever sends", (socket) => socket.send(new Uint8Array((4 << 20) + 1))],
  ])("closes on %s, and the core goes on for others", async (_what, send) => {
    test = await openTestShell();
    const [bad, good] = [await test.socket(), await test.socket()];
    bad.on("error", () => {});
    const closed = once(bad, "close");
    send(bad);
    await closed;
    const messages = messagesOf(good);
    good.send(pack({ id: 7, call: "system.about", input: {} }));
    await until(() => messages.length === 1);
    expect(messages[0]).toMatchObject({ id: 7, answer: { ok: true } });
  });

  it("closes on empty messages, in one frame or several, however many windows send them, and ends nothing else", async () => {
    test = await openTestShell();
    const good = await test.socket();
    for (let i = 0; i < 6; i++) {
      const bad = await test.socket();
      const closed = once(bad, "close");
      bad.ping();
      if (i % 2 === 1) bad.send(new Uint8Array(), { fin: false });
      bad.send(new Uint8Array(), { fin: true });
      expect((await closed)[0]).toBe(1003);
    }
    const messages = messagesOf(good);
    good.send(pack({ id: 7, call: "system.about", input: {} }));
    await until(() => messages.length === 1);
    expect(messages[0]).toMatchObject({ id: 7, answer: { ok: true } });
  });

  it("ends a socket on which no frames are sent, and no other", async () => {
    test = await openTestShell();
    const shell = test;
    const good = await shell.socket();
    const secret = await shell.secret();
    const head =
      `GET /bridge HTTP/1.1\r\nHost: ${shell.host}\r\nOrigin: http://${shell.host}\r\nConnection: Upgrade\r\n` +
      "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n" +
      `Sec-WebSocket-Protocol: zenith, zenith.secret.${secret}\r\n\r\n`;
    // Without a mask, of an unknown kind, too long a length, a ping in pieces, a closing frame of one byte, and anything.
    const odd = [
      [0x82, 1, 0],
      [0x83, 0x80, 0, 0, 0, 0],
      [0x82, 0xff, 255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0],
    ];
    const pieces = [...odd, [0x09, 0x80, 0, 0, 0, 0], [0x88, 0x81, 0, 0, 0, 0, 1], [0xf2, 0x81, 0, 0, 0, 0, 1]];
    for (const bytes of pieces) {
      const raw = connect(shell.port, "127.0.0.1");
      raw.on("error", () => {});
      raw.write(head);
      raw.resume();
      const closed = new Promise((resolve) => raw.once("close", resolve));
      raw.write(Uint8Array.from(bytes));
      raw.end();
      await closed;
    }
    const messages = messagesOf(good);
    good.send(pack({ id: 8, call: "system.about", input: {} }));
    await until(() => messages.length === 1);
    expect(messages[0]).toMatchObject({ id: 8, answer: { ok: true } });
  });

  it("gives up a window that does not answer any more, and no other", async () => {
    // Long enough for the lively one to answer from within the same busy process.
    test = await openTestShell({ bounds: { beatMs: 250 } });
    const [silent, lively] = [await test.socket(), await test.socket()];
    // Its computer went to sleep: nothing is read, nothing is answered.
    silent.pause();
    let pings = 0;
    lively.on("ping", () => pings++);
    await until(() => pings >= 5);
    const closed = once(silent, "close");
    silent.resume();
    expect((await closed)[0]).toBe(1006);
    expect(lively.readyState).toBe(lively.OPEN);
  });

  /** A window as the page makes it. */
  async function openWindow(
    { secret, pageSocket, call }: TestShell,
    onState: (state: SocketState) => void = () => {},
  ): Promise<Bridge> {
    const given = await secret();
    const client = createBridgeClient();
    const options = {
      open: () => pageSocket(given),
      isRefused: async () => (await call("check", given)).status === 401,
      onState,
    };
    ends.push(keepSocket(client.attach, client.emit, options));
    return client.bridge;
  }

  it("goes on with a new core where the old one died: who waits is answered, all are told, the next call works", async () => {
    test = await openTestShell();
    const told: string[] = [];
    const states: string[] = [];
    const bridge = await openWindow(test, (state) => states.push(state.kind));
    bridge.on("engineRestarted", ({ reason }) => told.push(reason));
    expect(await bridge.system.about({})).toMatchObject({ ok: true });

    const silent = createServer();
    ends.push(() => silent.close());
    await once(silent.listen(0, "127.0.0.1"), "listening");
    const { port } = silent.address() as AddressInfo;
    const waiting = bridge.connections.test({ baseUrl: `http://127.0.0.1:${port}`, apiKey: "key-of-nobody" });
    await once(silent, "connection");
    await test.shell.killCore();
    expect(await waiting).toMatchObject({ ok: false, error: { kind: "engine" } });
    await until(() => told.length === 1);
    expect(await bridge.system.about({})).toMatchObject({ ok: true });
    expect(states).toEqual(["open", "lost", "open"]);
  });
});
