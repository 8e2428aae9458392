import { MessageChannel } from "node:worker_threads";
import { afterEach, describe, expect, it } from "vitest";
import { Events } from "#main/app/events.ts";
import { serveChannel } from "#main/bridge/serve.ts";
import { createBridgeClient } from "#shared/bridge/client.ts";
import type { Bridge, BridgeHandlers } from "#shared/bridge/contract.ts";
import type { CallContext } from "#shared/bridge/method.ts";
import {
  channelPair,
  type CoreChannel,
  type ToCore,
  type ToWindow,
  type WindowChannel,
} from "#shared/bridge/transport/protocol.ts";
import { portChannel } from "#shared/bridge/transport/port.ts";
import { DEFAULT_SETTINGS } from "#shared/bridge/methods/settings.ts";
import { success } from "#shared/service/error.ts";

// Cases that a real application does not cause on demand: unforeseen errors, hanging work and invalid messages.

interface Ends {
  readonly window: WindowChannel;
  readonly core: CoreChannel;
}

const KINDS: readonly (readonly [string, () => Ends])[] = [
  ["a pair", channelPair],
  ["ports that move buffers", () => portEnds(true)],
  ["ports that copy, like those of Electron", () => portEnds(false)],
];

function portEnds(transfer: boolean): Ends {
  const { port1, port2 } = new MessageChannel();
  // Electron's port in the core has no addEventListener, wraps its data and rejects buffers.
  const electron = {
    postMessage: (message: unknown, transferred?: ArrayBuffer[]) => {
      if (transferred) throw new TypeError("Port at index 0 is not a valid port");
      port2.postMessage(message);
    },
    on: (type: "message" | "close", listener: (event: { readonly data?: unknown }) => void) =>
      port2.on(type, (data: unknown) => listener({ data })),
    start: () => port2.start(),
    close: () => port2.close(),
  };
  return {
    window: portChannel<ToCore, ToWindow>(port1, { transfer }),
    core: portChannel<ToWindow, ToCore>(transfer ? port2 : electron, { transfer }),
  };
}

describe.each(KINDS)("over %s", (_, openEnds) => {
  let ends: Ends;
  let events: Events;

  function open(settings: Partial<BridgeHandlers["settings"]>): Bridge {
    ends = openEnds();
    events = new Events();
    serveChannel({ settings } as BridgeHandlers, events, ends.core, null);
    const client = createBridgeClient();
    client.attach(ends.window);
    return client.bridge;
  }
  afterEach(() => ends.window.close());

  it("any thrown value becomes a fault", async () => {
    const bridge = open({
      read: () => {
        throw new Error("unforeseen");
      },
      readWorkspace: () => Promise.reject("a text"),
    });
    const fault = { kind: "core", message: expect.stringMatching(/unforeseen.*Try again\.$/) };
    expect(await bridge.settings.read({})).toMatchObject({ ok: false, error: fault });
    expect(await bridge.settings.readWorkspace({ key: "x" })).toMatchObject({ ok: false, error: { kind: "core" } });
  });

  it("a result that cannot be sent becomes a fault", async () => {
    const bridge = open({ read: () => success({ ...DEFAULT_SETTINGS, secret: () => {} }) });
    expect(await bridge.settings.read({})).toMatchObject({ ok: false, error: { kind: "core" } });
  });

  it("an unknown function is a usage fault, also if it is a method of every object", async () => {
    open({ read: () => success(DEFAULT_SETTINGS) });
    const results = new Promise<unknown[]>((resolve) => {
      const got: unknown[] = [];
      ends.window.onMessage((message) => got.push(message) === 4 && resolve(got));
    });
    ["settings.nothing", "constructor.name", "settings.toString", ""].forEach((call, i) =>
      ends.window.send({ id: 100 + i, call, input: {} }),
    );
    const usage = { ok: false, error: { kind: "usage" } };
    expect(await results).toMatchObject([100, 101, 102, 103].map((id) => ({ id, answer: usage })));
  });

  it.each([[null], [7], ["x"], [[]], [{}], [{ id: "1", call: "settings.read" }], [{ id: 1, call: 7 }], [{ id: 0.5 }]])(
    "the invalid message %j closes the channel",
    async (message) => {
      open({ read: () => success(DEFAULT_SETTINGS) });
      const closed = new Promise((resolve) => ends.window.onClose(resolve));
      ends.window.send(message as never);
      expect(await closed).not.toBe("");
    },
  );

  it("a cancelled call, or a closed window, stops the work", async () => {
    const stopped: string[] = [];
    const begun: (() => void)[] = [];
    const hang = (key: string, { signal }: CallContext): Promise<never> => {
      begun.shift()?.();
      return new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          stopped.push(key);
          reject(signal.reason as Error);
        });
      });
    };
    const bridge = open({ readWorkspace: ({ key }, context) => hang(key, context) });
    const control = new AbortController();
    const first = new Promise<void>((resolve) => begun.push(resolve));
    const cancelled = bridge.settings.readWorkspace({ key: "cancelled" }, { signal: control.signal });
    await first;
    control.abort();
    expect(await cancelled).toMatchObject({ ok: false, error: { kind: "cancelled" } });
    const second = new Promise<void>((resolve) => begun.push(resolve));
    const left = bridge.settings.readWorkspace({ key: "left" });
    await second;
    ends.window.close();
    expect(await left).toMatchObject({ ok: false, error: { kind: "core" } });
    await expect.poll(() => stopped).toEqual(["cancelled", "left"]);
  });

  it("events reach listeners until the channel is closed", async () => {
    const bridge = open({ read: () => success(DEFAULT_SETTINGS) });
    const received: string[] = [];
    bridge.on("command", ({ command }) => received.push(command));
    events.emit("command", { command: "one" });
    await bridge.settings.read({});
    ends.window.close();
    await new Promise((resolve) => setTimeout(resolve, 20));
    events.emit("command", { command: "two" });
    expect(received).toEqual(["one"]);
  });
});
