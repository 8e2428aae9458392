import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { MessageChannel } from "node:worker_threads";
import { WebSocket, WebSocketServer } from "ws";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { relay } from "#main/web/relay.ts";

const MB = 1 << 20;

describe("messages to a slow window", () => {
  let server: WebSocketServer;
  let mine: WebSocket;
  let theirs: WebSocket;
  beforeEach(async () => {
    server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
    await once(server, "listening");
    theirs = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
    [[mine]] = (await Promise.all([once(server, "connection"), once(theirs, "open")])) as [[WebSocket], unknown];
  });
  afterEach(() => {
    theirs.terminate();
    server.close();
  });

  it("arrive completely and in order, with pings in between", async () => {
    const { port1, port2 } = new MessageChannel();
    relay(mine, port1, 60_000);
    const sent = [8 * MB + 3, 1, 0, MB, 20 * MB, 7].map((bytes, i) => new Uint8Array(bytes).fill(i + 1));
    const received: Buffer[] = [];
    const order: string[] = [];
    theirs.on("ping", () => order.push("ping"));
    const all = new Promise<void>((resolve) => {
      theirs.on("message", (data: Buffer) => {
        order.push("message");
        if (received.push(data) === sent.length) resolve();
      });
    });
    theirs.pause();
    let relayed = 0;
    const put = new Promise<void>((resolve) => {
      port1.on("message", () => ++relayed === sent.length && resolve());
    });
    for (const message of sent) port2.postMessage(message);
    await put;
    mine.ping();
    theirs.resume();
    await all;
    port2.close();
    expect(received.map((data, i) => Buffer.compare(data, sent[i]!))).toEqual(sent.map(() => 0));
    // Messages are sent in pieces; otherwise, the ping would follow the whole first message.
    expect(order[0]).toBe("ping");
  });

  it("are limited: a window that reads nothing is disconnected, and few of its calls reach the core", async () => {
    const { port1, port2 } = new MessageChannel();
    let calls = 0;
    port2.on("message", () => {
      calls++;
      port2.postMessage(new Uint8Array(8 * MB));
    });
    relay(mine, port1, 60_000);
    theirs.pause();
    const gone = once(theirs, "close");
    theirs.on("error", () => {});
    const timer = setInterval(() => {
      for (let i = 0; i < 50 && theirs.readyState === theirs.OPEN; i++) theirs.send(Uint8Array.of(1));
    }, 1);
    await once(mine, "close");
    clearInterval(timer);
    theirs.terminate();
    await gone;
    port2.close();
    expect(calls).toBeLessThan(1_000);
  });
});
