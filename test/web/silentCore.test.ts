import { EventEmitter, once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { createBridgeClient } from "#shared/bridge/client.ts";
import { CORE_HEARTBEAT, createHeartbeat } from "../../src/main/engine/heartbeat.ts";
import { keepSocket } from "../../src/renderer/bridge/socketChannel.ts";
import { openTestShell, type TestShell } from "./shell.ts";

const STUCK_CORE = join(import.meta.dirname, "stuckCore.ts");
const HANGING_CORE = join(import.meta.dirname, "hangingCore.ts");

describe("a core that no longer answers", () => {
  let test: TestShell;
  const folder = mkdtempSync(join(tmpdir(), "zenith-silent-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const ends: (() => void)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0)) end();
    await test.close();
  });

  it("is told and restarted although it never came to its first word", async () => {
    const order = join(folder, "hang");
    writeFileSync(order, "");
    test = await openTestShell({
      dataFolder: folder,
      coreFile: STUCK_CORE,
      bounds: { core: { ...CORE_HEARTBEAT, firstMs: 300 } },
    });
    const secret = await test.secret();
    const client = createBridgeClient();
    const told = new EventEmitter();
    ends.push(
      keepSocket(client.attach, client.emit, {
        open: () => test.pageSocket(secret),
        onState: ({ kind }) => told.emit(kind),
      }),
    );
    await once(told, "silent");
    rmSync(order);
    const restarted = new Promise((resolve) => client.bridge.on("engineRestarted", resolve));
    expect(await test.call("restart", secret)).toMatchObject({ status: 204 });
    await restarted;
    expect(await client.bridge.system.about({})).toMatchObject({ ok: true });
    await test.shell.ready;
  });

  it("is told to all windows, also those that come later, and is restarted from one of them", async () => {
    test = await openTestShell({
      coreFile: HANGING_CORE,
      bounds: { core: { ...CORE_HEARTBEAT, beatMs: 20, beats: 100 } },
    });
    const secret = await test.secret();
    /** What one window hears and sees. */
    const open = () => {
      const client = createBridgeClient();
      const heard: string[] = [];
      const news = new EventEmitter();
      const onState = ({ kind }: { readonly kind: string }): void => {
        heard.push(kind);
        news.emit("news");
      };
      ends.push(keepSocket(client.attach, client.emit, { open: () => test.pageSocket(secret), onState }));
      client.bridge.on("engineRestarted", () => onState({ kind: "restarted" }));
      const until = async (last: string): Promise<readonly string[]> => {
        while (heard.at(-1) !== last) await once(news, "news");
        return [...heard];
      };
      return { bridge: client.bridge, until };
    };
    const first = open();
    expect(await first.bridge.system.about({})).toMatchObject({ ok: true });
    expect(await test.call("restart", secret)).toMatchObject({ status: 204 });
    // It answers, so it was left alone.
    expect(await first.bridge.system.about({})).toMatchObject({ ok: true });

    writeFileSync(join(test.folder, "data", "hang"), "");
    expect(await first.until("silent")).toEqual(["open", "silent"]);
    const second = open();
    expect(await second.until("silent")).toEqual(["open", "silent"]);
    const waiting = first.bridge.system.about({});

    expect(await test.call("restart", "no")).toMatchObject({ status: 401 });
    expect(await test.call("restart", secret)).toMatchObject({ status: 204 });
    expect(await waiting).toMatchObject({ ok: false, error: { kind: "engine" } });
    expect((await first.until("restarted")).slice(-3)).toEqual(["lost", "open", "restarted"]);
    expect(await first.bridge.system.about({})).toMatchObject({ ok: true });
    await second.until("restarted");
  });
});

describe("whether the other side answers", () => {
  it("is counted in questions, and told once until it changes", async () => {
    const told: boolean[] = [];
    let asked = 0;
    const answers = new Set([1, 2, 3, 9]);
    await new Promise<void>((resolve) => {
      const heartbeat = createHeartbeat({
        beatMs: 1,
        beats: 3,
        firstMs: 60_000,
        onChange: (isAnswering) => told.push(isAnswering),
        ping() {
          asked++;
          if (answers.has(asked)) heartbeat.answered();
          if (asked < 20) return;
          heartbeat.end();
          resolve();
        },
      });
      // The first word: nothing is asked before.
      heartbeat.answered();
    });
    expect(told).toEqual([false, true, false]);
  });
});
