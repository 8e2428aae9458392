import { afterAll, beforeAll, expect, test, onTestFinished } from "vitest";
import type { App } from "#main/app.ts";
import { createBridgeClient } from "#shared/bridge/client.ts";
import type { Bridge } from "#shared/bridge/contract.ts";
import { channelPair } from "#shared/bridge/transport/protocol.ts";
import { DAY_MS, HOUR_MS } from "#shared/time/utc.ts";
import { type Delay, type Loaded, Loader } from "#renderer/features/series/loader.ts";
import { openApp } from "../bridge/app.ts";
import { ASKED, KEPT, NEVER_ASKED, ONE, prepareFolder, READ_NATIVE, START_MS, ztdMm } from "../bridge/fixture.ts";
import { scratchFolder } from "../support/folder.ts";

const WIDTH_PX = 800;
const folder = scratchFolder();
let app: App;
let bridge: Bridge;

beforeAll(() => {
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
});

const query = { connectionId: KEPT, stationIds: [ONE], variables: ["ztd" as const], mode: READ_NATIVE };
const hour = { startMs: START_MS + 6 * HOUR_MS, endMs: START_MS + 7 * HOUR_MS };

/**
 * A loader with its last report, the number of stations of each request, and a wait for a report. Its timers fire only
 * during the wait and in `fireTimers`.
 */
function watched(): {
  loader: Loader;
  last: () => Loaded;
  requests: number[];
  fireTimers(): void;
  until(is: (loaded: Loaded) => boolean): Promise<void>;
} {
  let last: Loaded = { windows: new Map(), isLoading: false, fault: null };
  let wake: (() => void) | null = null;
  const requests: number[] = [];
  const counting: Bridge["series"] = {
    ...bridge.series,
    window(input, options) {
      requests.push(input.stationIds.length);
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
  const report = (loaded: Loaded): void => {
    last = loaded;
    wake?.();
  };
  const loader = new Loader(counting, report, delay);
  onTestFinished(() => loader.close());
  return {
    loader,
    last: () => last,
    requests,
    fireTimers,
    async until(is) {
      while (!is(last)) {
        const reported = new Promise<void>((resolve) => (wake = resolve));
        fireTimers();
        await reported;
      }
    },
  };
}

test("the visible range is requested first, then its surroundings, and a view inside them needs no request", async () => {
  const { loader, last, requests, fireTimers, until } = watched();
  loader.setView(hour, WIDTH_PX);
  loader.setQuery(query);
  await until((l) => l.windows.has(ONE));
  const first = last().windows.get(ONE)!;
  expect(first.range).toEqual(hour);
  if (first.kind !== "rows") throw new Error("rows were expected");
  expect(first.values.ztd![0]).toBe(ztdMm(720));
  await until((l) => l.windows.get(ONE)!.range.endMs > hour.endMs);
  expect(last().windows.get(ONE)!.range).toEqual({ startMs: hour.startMs - HOUR_MS, endMs: hour.endMs + HOUR_MS });
  expect(requests).toEqual([1, 1]);
  loader.setView({ startMs: hour.startMs + 60_000, endMs: hour.endMs - 60_000 }, WIDTH_PX);
  fireTimers();
  expect(requests).toEqual([1, 1]);
});

test("only an added station is requested, and a removed station or another variable discards data", async () => {
  const { loader, last, requests, until } = watched();
  loader.setView(ASKED, WIDTH_PX);
  loader.setQuery(query);
  await until((l) => l.windows.has(ONE));
  loader.setQuery({ ...query, stationIds: [ONE, NEVER_ASKED] });
  await until((l) => l.windows.has(NEVER_ASKED));
  expect(requests.slice(0, 2)).toEqual([1, 1]);
  loader.setQuery({ ...query, stationIds: [NEVER_ASKED] });
  expect([...last().windows.keys()]).toEqual([NEVER_ASKED]);
  loader.setQuery({ ...query, variables: ["pwv"] });
  expect(last().windows.size).toBe(0);
  await until((l) => l.windows.has(ONE));
  expect(Object.keys((last().windows.get(ONE) as { values: object }).values)).toEqual(["pwv"]);
});

test("a station that was read ahead is there at once, unless its rows or the view have changed since", async () => {
  const other = { ...query, stationIds: [NEVER_ASKED] };
  const aheadThen = async (change: (loader: Loader) => void): Promise<boolean> => {
    const { loader, last, until } = watched();
    loader.setView(hour, WIDTH_PX);
    loader.setQuery(other);
    await until((l) => l.windows.has(NEVER_ASKED) && !l.isLoading);
    await loader.readAhead(ONE);
    change(loader);
    loader.setQuery(query);
    const window = last().windows.get(ONE);
    const isThere = window?.kind === "rows" && window.values.ztd![0] === ztdMm(720);
    return isThere;
  };
  expect(await aheadThen(() => {})).toBe(true);
  expect(await aheadThen((loader) => loader.refresh([NEVER_ASKED]))).toBe(true);
  expect(await aheadThen((loader) => loader.refresh([ONE]))).toBe(false);
  expect(await aheadThen((loader) => loader.refresh(null))).toBe(false);
  expect(await aheadThen((loader) => loader.setView(ASKED, WIDTH_PX))).toBe(false);
  expect(await aheadThen((loader) => loader.setQuery({ ...other, variables: ["pwv"] }))).toBe(false);
});

test("means that the core computes are not read ahead", async () => {
  const { loader, requests, until } = watched();
  loader.setView(hour, WIDTH_PX);
  loader.setQuery({ ...query, stationIds: [NEVER_ASKED], mode: { intervalSeconds: 300, raw: false, resampled: true } });
  await until((l) => l.windows.has(NEVER_ASKED) && !l.isLoading);
  const n = requests.length;
  await loader.readAhead(ONE);
  expect(requests).toHaveLength(n);
});

test("a station removed while it is being read has its rows after it was added again", async () => {
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
});

test("changed data is requested again, and previous rows remain until the response", async () => {
  const { loader, last, requests, until } = watched();
  loader.setView(ASKED, WIDTH_PX);
  loader.setQuery(query);
  await until((l) => (l.windows.get(ONE)?.range.endMs ?? 0) > ASKED.endMs);
  const before = last().windows.get(ONE);
  const n = requests.length;
  loader.refresh(["someone-else"]);
  expect(requests).toHaveLength(n);
  loader.refresh([ONE]);
  expect(requests).toHaveLength(n + 1);
  expect(last().windows.get(ONE)).toBe(before);
  await until((l) => l.windows.get(ONE) !== before);
});

test("loading stops at a fault until a retry, or until another view is at rest", async () => {
  const { loader, last, requests, fireTimers, until } = watched();
  loader.setView({ startMs: START_MS, endMs: START_MS + DAY_MS }, WIDTH_PX);
  loader.setQuery({ ...query, connectionId: "gone" });
  await until((l) => l.fault !== null);
  expect(last().fault!.message).toMatch(/no longer exists/);
  loader.retry();
  expect(requests).toHaveLength(2);
  await until((l) => l.fault !== null);
  for (const hours of [1, 2, 3]) loader.setView({ ...hour, startMs: hour.startMs - hours * HOUR_MS }, WIDTH_PX);
  expect(requests).toHaveLength(2);
  fireTimers();
  expect(requests).toHaveLength(3);
  await until((l) => l.fault !== null);
  fireTimers();
  expect(requests).toHaveLength(3);
});

test("a request that a closing core cancels is not sent again until a retry", async () => {
  let requests = 0;
  const fault = { kind: "cancelled", message: "The program is closing." } as const;
  // After a few it answers no more, so that a loader that spins fails here instead of hanging.
  const answer = (): Promise<never> =>
    requests++ < 9 ? (Promise.resolve({ ok: false, error: fault }) as Promise<never>) : new Promise(() => {});
  const closing = { ...bridge.series, window: answer };
  const faults: unknown[] = [];
  const loader = new Loader(
    closing,
    (loaded) => faults.push(loaded.fault),
    () => () => {},
  );
  loader.setView(hour, WIDTH_PX);
  loader.setQuery(query);
  await expect.poll(() => faults.at(-1)).toEqual(fault);
  expect(requests).toBe(1);
  loader.retry();
  await expect.poll(() => faults.at(-1)).toEqual(fault);
  expect(requests).toBe(2);
});

test("the surroundings of a view in the first or last year end with that year", async () => {
  const { loader, last, requests, fireTimers, until } = watched();
  loader.setView({ startMs: Date.parse("0001-01-01"), endMs: Date.parse("0001-01-02") }, WIDTH_PX);
  loader.setQuery(query);
  await until((l) => l.windows.size > 0);
  fireTimers();
  await until((l) => !l.isLoading);
  expect([last().fault, requests.length]).toEqual([null, 2]);
  loader.setView({ startMs: Date.parse("9999-12-30"), endMs: Date.parse("9999-12-31") }, WIDTH_PX);
  await until((l) => l.windows.get(ONE)!.range.startMs > Date.parse("9999-01-01"));
  fireTimers();
  await until((l) => !l.isLoading);
  expect([last().fault, requests.length]).toEqual([null, 3]);
});

test("a screen with more pixels than a window has columns needs no further requests", async () => {
  const { loader, last, requests, fireTimers, until } = watched();
  loader.setView(ASKED, 20_000);
  // With this many stations, columns are returned instead of rows.
  const others = Array.from({ length: 499 }, (_, i) => `nobody-${i}`);
  loader.setQuery({ ...query, stationIds: [ONE, ...others] });
  await until((l) => (l.windows.get(ONE)?.range.endMs ?? 0) > ASKED.endMs);
  expect(last().windows.get(ONE)!.kind).toBe("columns");
  fireTimers();
  await until((l) => !l.isLoading);
  const n = requests.length;
  fireTimers();
  expect(requests).toHaveLength(n);
});
