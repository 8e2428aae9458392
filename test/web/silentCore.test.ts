import { EventEmitter, once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CORE_HEARTBEAT, Heartbeat } from "#main/supervisor/heartbeat.ts";
import { scratchFolder } from "../support/folder.ts";
import { pageBridge, webShell } from "./page.ts";

const STUCK_CORE = join(import.meta.dirname, "stuckCore.ts");
const HANGING_CORE = join(import.meta.dirname, "hangingCore.ts");

describe("an unresponsive core", () => {
  const folder = scratchFolder();

  it("is reported and restarted if it never responded", async () => {
    const order = join(folder, "hang");
    writeFileSync(order, "");
    const test = await webShell({
      dataFolder: folder,
      coreFile: STUCK_CORE,
      bounds: { core: { ...CORE_HEARTBEAT, firstMs: 300 } },
    });
    const secret = await test.secret();
    const states = new EventEmitter();
    const bridge = pageBridge(test, secret, { onState: ({ kind }) => states.emit(kind) });
    await once(states, "silent");
    rmSync(order);
    const restarted = new Promise((resolve) => bridge.on("coreRestarted", resolve));
    expect(await test.call("restart", secret)).toMatchObject({ status: 204 });
    await restarted;
    expect(await bridge.system.about({})).toMatchObject({ ok: true });
    await test.shell.ready;
  });

  it("is reported to all windows, also to later ones, and is restarted from one of them", async () => {
    const test = await webShell({
      coreFile: HANGING_CORE,
      bounds: { core: { ...CORE_HEARTBEAT, beatMs: 20, beats: 100 } },
    });
    const secret = await test.secret();
    /** A window with its bridge and its states. */
    const open = () => {
      const states: string[] = [];
      const changes = new EventEmitter();
      const onState = ({ kind }: { readonly kind: string }): void => {
        states.push(kind);
        changes.emit("change");
      };
      const bridge = pageBridge(test, secret, { onState });
      bridge.on("coreRestarted", () => onState({ kind: "restarted" }));
      const until = async (last: string): Promise<readonly string[]> => {
        while (states.at(-1) !== last) await once(changes, "change");
        return [...states];
      };
      return { bridge, until };
    };
    const first = open();
    expect(await first.bridge.system.about({})).toMatchObject({ ok: true });
    expect(await test.call("restart", secret)).toMatchObject({ status: 204 });
    // A responsive core is not restarted.
    expect(await first.bridge.system.about({})).toMatchObject({ ok: true });

    writeFileSync(join(test.folder, "data", "hang"), "");
    expect(await first.until("silent")).toEqual(["open", "silent"]);
    const second = open();
    expect(await second.until("silent")).toEqual(["open", "silent"]);
    const waiting = first.bridge.system.about({});

    expect(await test.call("restart", "no")).toMatchObject({ status: 401 });
    expect(await test.call("restart", secret)).toMatchObject({ status: 204 });
    expect(await waiting).toMatchObject({ ok: false, error: { kind: "core" } });
    expect((await first.until("restarted")).slice(-3)).toEqual(["lost", "open", "restarted"]);
    expect(await first.bridge.system.about({})).toMatchObject({ ok: true });
    await second.until("restarted");
  });
});

describe("a heartbeat", () => {
  it("reports each change after a number of pings", async () => {
    const reported: boolean[] = [];
    let pings = 0;
    const answeredPings = new Set([1, 2, 3, 9]);
    await new Promise<void>((resolve) => {
      const heartbeat = new Heartbeat({
        beatMs: 1,
        beats: 3,
        firstMs: 60_000,
        onChange: (isAnswering) => reported.push(isAnswering),
        ping() {
          pings++;
          if (answeredPings.has(pings)) heartbeat.answered();
          if (pings < 20) return;
          heartbeat.end();
          resolve();
        },
      });
      // No pings are sent before the first response.
      heartbeat.answered();
    });
    expect(reported).toEqual([false, true, false]);
  });
});
