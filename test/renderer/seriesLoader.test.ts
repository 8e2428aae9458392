import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { App } from "#main/app.ts";
import { createBridgeClient } from "#shared/bridge/client.ts";
import type { Bridge } from "#shared/bridge/contract.ts";
import { channelPair } from "#shared/bridge/transport/pair.ts";
import { DAY_MS, HOUR_MS } from "#shared/time/utc.ts";
import { createLoader, type Delay, type Loaded, type Loader } from "../../src/renderer/features/series/loader.ts";
import { openApp } from "../bridge/app.ts";
import { ASKED, KEPT, NEVER_ASKED, ONE, prepareFolder, READ_NATIVE, START_MS, ztdMm } from "../bridge/fixture.ts";

const WIDTH_PX = 800;
let folder: string;
let app: App;
let bridge: Bridge;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "zenith-loader-"));
  prepareFolder(folder);
  app = openApp(folder);
  const { window, core } = channelPair();
  const client = createBridgeClient();
  app.serve(core, null);
  client.attach(window);
  bridge = client.bridge;
});

afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

const query = { connectionId: KEPT, stationIds: [ONE], variables: ["ztd" as const], mode: READ_NATIVE };
const hour = { startMs: START_MS + 6 * HOUR_MS, endMs: START_MS + 7 * HOUR_MS };

/**
 * A loader with what it told last, the ranges it asked for, and a wait until something is told that fits. Its timers
 * fire in the wait, and at `fireTimers`, never by the clock.
 */
function watched(): {
  loader: Loader;
  last: () => Loaded;
  asked: number[];
  fireTimers(): void;
  until(is: (loaded: Loaded) => boolean): Promise<void>;
} {
  let last: Loaded = { windows: new Map(), isLoading: false, fault: null };
  let wake: (() => void) | null = null;
  const asked: number[] = [];
  const counting: Bridge["series"] = {
    ...bridge.series,
    window(input, options) {
      asked.push(input.stationIds.length);
      return bridge.series.window(input, options);
    },
  };
  const timers = new Set<() => void>();
  const delay: Delay = (act) => {
    timers.add(act);
    return () => timers.delete(act);
  };
  const fireTimers = (): void => {
    const due = [...timers];
    timers.clear();
    for (const act of due) act();
  };
  const tell = (loaded: Loaded): void => {
    last = loaded;
    wake?.();
  };
  return {
    loader: createLoader(counting, tell, delay),
    last: () => last,
    asked,
    fireTimers,
    async until(is) {
      while (!is(last)) {
        const told = new Promise<void>((resolve) => (wake = resolve));
        fireTimers();
        await told;
      }
    },
  };
}

test("what is in sight comes first, then its surroundings; a view inside them asks nothing more", async () => {
  const { loader, last, asked, fireTimers, until } = watched();
  loader.setView(hour, WIDTH_PX);
  loader.setQuery(query);
  await until((l) => l.windows.has(ONE));
  const first = last().windows.get(ONE)!;
  expect(first.range).toEqual(hour);
  if (first.kind !== "rows") throw new Error("rows were expected");
  expect(first.values.ztd![0]).toBe(ztdMm(720));
  await until((l) => l.windows.get(ONE)!.range.endMs > hour.endMs);
  expect(last().windows.get(ONE)!.range).toEqual({ startMs: hour.startMs - HOUR_MS, endMs: hour.endMs + HOUR_MS });
  expect(asked).toEqual([1, 1]);
  loader.setView({ startMs: hour.startMs + 60_000, endMs: hour.endMs - 60_000 }, WIDTH_PX);
  fireTimers();
  expect(asked).toEqual([1, 1]);
  loader.close();
});

test("another station asks only for that one; another variable drops everything; a station that goes takes its window", async () => {
  const { loader, last, asked, until } = watched();
  loader.setView(ASKED, WIDTH_PX);
  loader.setQuery(query);
  await until((l) => l.windows.has(ONE));
  loader.setQuery({ ...query, stationIds: [ONE, NEVER_ASKED] });
  await until((l) => l.windows.has(NEVER_ASKED));
  expect(asked.slice(0, 2)).toEqual([1, 1]);
  loader.setQuery({ ...query, stationIds: [NEVER_ASKED] });
  expect([...last().windows.keys()]).toEqual([NEVER_ASKED]);
  loader.setQuery({ ...query, variables: ["pwv"] });
  expect(last().windows.size).toBe(0);
  await until((l) => l.windows.has(ONE));
  expect(Object.keys((last().windows.get(ONE) as { values: object }).values)).toEqual(["pwv"]);
  loader.close();
});

test("a station that is taken away while it is read, and chosen again, has its rows", async () => {
  const { loader, last, until } = watched();
  loader.setView(hour, WIDTH_PX);
  loader.setQuery({ ...query, stationIds: [NEVER_ASKED] });
  await until((l) => l.windows.has(NEVER_ASKED) && !l.isLoading);
  loader.setQuery({ ...query, stationIds: [ONE, NEVER_ASKED] });
  expect(last().isLoading).toBe(true);
  loader.setQuery({ ...query, stationIds: [NEVER_ASKED] });
  await until((l) => !l.isLoading);
  expect([...last().windows.keys()]).toEqual([NEVER_ASKED]);
  loader.setQuery({ ...query, stationIds: [ONE, NEVER_ASKED] });
  await until((l) => l.windows.has(ONE));
  expect(last().windows.get(ONE)).toMatchObject({
    kind: "rows",
    values: { ztd: expect.toSatisfy((v) => v.length > 0) },
  });
  loader.close();
});

test("what changed is asked again, and the older rows stay until then", async () => {
  const { loader, last, asked, until } = watched();
  loader.setView(ASKED, WIDTH_PX);
  loader.setQuery(query);
  await until((l) => (l.windows.get(ONE)?.range.endMs ?? 0) > ASKED.endMs);
  const before = last().windows.get(ONE);
  const n = asked.length;
  loader.refresh(["someone-else"]);
  expect(asked).toHaveLength(n);
  loader.refresh([ONE]);
  expect(asked).toHaveLength(n + 1);
  expect(last().windows.get(ONE)).toBe(before);
  await until((l) => l.windows.get(ONE) !== before);
  loader.close();
});

test("a fault stops it until it is told to try again", async () => {
  const { loader, last, asked, until } = watched();
  loader.setView({ startMs: START_MS, endMs: START_MS + DAY_MS }, WIDTH_PX);
  loader.setQuery({ ...query, connectionId: "gone" });
  await until((l) => l.fault !== null);
  expect(last().fault!.message).toMatch(/no longer exists/);
  loader.setView(hour, WIDTH_PX);
  expect(asked).toHaveLength(1);
  loader.retry();
  expect(asked).toHaveLength(2);
  loader.close();
});

test("a screen finer than any window is drawn from the finest there is, and asks no more", async () => {
  const { loader, last, asked, fireTimers, until } = watched();
  loader.setView(ASKED, 20_000);
  // So many stations that rows of one are too many: columns.
  const others = Array.from({ length: 499 }, (_, i) => `nobody-${i}`);
  loader.setQuery({ ...query, stationIds: [ONE, ...others] });
  await until((l) => (l.windows.get(ONE)?.range.endMs ?? 0) > ASKED.endMs);
  expect(last().windows.get(ONE)!.kind).toBe("columns");
  fireTimers();
  await until((l) => !l.isLoading);
  const n = asked.length;
  fireTimers();
  expect(asked).toHaveLength(n);
  loader.close();
});
