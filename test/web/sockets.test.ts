import { once } from "node:events";
import { describe, expect, it, onTestFinished } from "vitest";
import { connect, createServer, type AddressInfo } from "node:net";
import { pack, unpack } from "#shared/bridge/transport/pack.ts";
import type { ToWindow } from "#shared/bridge/transport/protocol.ts";
import type { WebSocket as RawSocket } from "ws";
import { pageBridge, webShell } from "./page.ts";

/** Waits for a condition, at most until the time limit of the test. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

function messagesOf(socket: RawSocket): ToWindow[] {
  const messages: ToWindow[] = [];
  socket.on("message", (data: ArrayBuffer) => messages.push(unpack(new Uint8Array(data)) as ToWindow));
  return messages;
}

describe("windows over WebSocket", () => {
  it("receive the capabilities of the web shell", async () => {
    const test = await webShell();
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
    ["invalid bytes", (socket) => socket.send(Uint8Array.of(255, 255, 255, 255, 0, 0, 0, 0))],
    ["a call without a name", (socket) => socket.send(pack({ id: 1, call: { split: 1 }, input: {} }))],
    ["an invalid id", (socket) => socket.send(pack({ id: "x", cancel: true }))],
    ["an empty message", (socket) => socket.send(new Uint8Array())],
    ["null", (socket) => socket.send(pack(null))],
    ["an array outside of its buffer", (socket) => socket.send(pack({ $array: "Float64Array", at: 0, length: 1e9 }))],
    ["a message that is too large", (socket) => socket.send(new Uint8Array((4 << 20) + 1))],
  ])("are closed after %s, without effects on other windows", async (_what, send) => {
    const test = await webShell();
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

  it("are closed after empty messages, in one or several frames, without effects on other windows", async () => {
    const test = await webShell();
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

  it("are closed after invalid frames, without effects on other windows", async () => {
    const test = await webShell();
    const shell = test;
    const good = await shell.socket();
    const secret = await shell.secret();
    const head =
      `GET /bridge HTTP/1.1\r\nHost: ${shell.host}\r\nOrigin: http://${shell.host}\r\nConnection: Upgrade\r\n` +
      "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n" +
      `Sec-WebSocket-Protocol: zenith, zenith.secret.${secret}\r\n\r\n`;
    // A missing mask, an unknown type, an excessive length, a fragmented ping, a short closing frame, and reserved
    // bits.
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

  it("are closed if they no longer respond, without effects on other windows", async () => {
    // Long enough for the responsive window in the same busy process.
    const test = await webShell({ bounds: { beatMs: 250 } });
    const [silent, responsive] = [await test.socket(), await test.socket()];
    // Like a computer that sleeps: it reads and sends nothing.
    silent.pause();
    let pings = 0;
    responsive.on("ping", () => pings++);
    await until(() => pings >= 5);
    const closed = once(silent, "close");
    silent.resume();
    expect((await closed)[0]).toBe(1006);
    expect(responsive.readyState).toBe(responsive.OPEN);
  });

  it("continue with a new core after a crash: pending calls fail, windows are notified, and later calls succeed", async () => {
    const test = await webShell();
    const reasons: string[] = [];
    const states: string[] = [];
    const secret = await test.secret();
    const bridge = pageBridge(test, secret, {
      isRefused: async () => (await test.call("check", secret)).status === 401,
      onState: (state) => states.push(state.kind),
    });
    bridge.on("coreRestarted", ({ reason }) => reasons.push(reason));
    expect(await bridge.system.about({})).toMatchObject({ ok: true });

    const silent = createServer();
    onTestFinished(() => void silent.close());
    await once(silent.listen(0, "127.0.0.1"), "listening");
    const { port } = silent.address() as AddressInfo;
    const waiting = bridge.connections.test({ baseUrl: `http://127.0.0.1:${port}`, apiKey: "key-of-nobody" });
    await once(silent, "connection");
    await test.shell.killCore();
    expect(await waiting).toMatchObject({ ok: false, error: { kind: "core" } });
    await until(() => reasons.length === 1);
    expect(await bridge.system.about({})).toMatchObject({ ok: true });
    expect(states).toEqual(["open", "lost", "open"]);
  });
});
