import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { Events } from "#main/app/events.ts";
import { isWorkedOn } from "#main/app/schedules/ledger.ts";
import { ScheduleStore } from "#main/app/schedules/scheduleStore.ts";
import { incompleteText, missingOf } from "#main/app/schedules/incomplete.ts";
import { nextText } from "#renderer/features/schedules/labels.ts";
import { endFault } from "#main/app/schedules/download.ts";
import { createRunNotifier, Schedules } from "#main/app/schedules/scheduler.ts";
import { forgetOld } from "#main/app/schedules/retention.ts";
import type { Desktop } from "#main/ports.ts";
import type { ScheduleRunner } from "#main/app/schedules/run.ts";
import { log } from "#main/log/index.ts";
import { openUserStore, type UserStore } from "#main/store/index.ts";
import { MAX_RUNS, type ScheduleRun } from "#shared/schedule/run.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#shared/time/utc.ts";
import { temporaryFolders } from "../support/folder.ts";
import { CONNECTION } from "../store/userRecords.ts";
import { never, NOW_MS } from "../support/desk.ts";
import { fakeClock, type FakeClock } from "../sync/fakeClock.ts";
import { scheduleOf } from "./scheduleOf.ts";
import { connectedWorld, event, ordinary, type TestWindow, valueOf } from "./window.ts";

const folder = temporaryFolders();
const NO_DESKTOP = { capabilities: {}, components: [] } as never as Desktop;
const START_MS = Date.UTC(2026, 9, 5, 12);
const LAST_HOUR = { start: "now-1h", end: "" };

function runOf(change: Partial<ScheduleRun> = {}): ScheduleRun {
  return {
    id: "r",
    scheduleId: "s",
    startedMs: START_MS,
    endedMs: START_MS,
    trigger: "time",
    state: "ok",
    reason: null,
    faultKind: null,
    range: null,
    ranges: 1,
    delivered: 1,
    stations: 1,
    rows: 0,
    requests: 0,
    missing: [],
    remarks: [],
    alarms: [],
    files: [],
    forgottenRows: 0,
    jobIds: [],
    ...change,
  };
}

const NOTHING = { jobId: null, fault: null, rows: 0, requests: 0, verdicts: [] };

interface Desk {
  readonly clock: FakeClock;
  readonly users: UserStore;
  readonly store: ScheduleStore;
  readonly schedules: Schedules;
  /** What ran, as `06T06:30 2`: two ranges. */
  readonly ran: string[];
  /** Lets every run fail for this reason before it is stored, until null. */
  fail(reason: string | null): void;
  /** Ends the current run, if runs are held. */
  finish(): Promise<void>;
}

/** Schedules on a real user.db, with a runner that only records. */
function openDesk(isHeld = false): Desk {
  const path = join(folder(), "user.db");
  const users = openUserStore(path);
  users.putConnection(CONNECTION);
  const clock = fakeClock(START_MS);
  const store = new ScheduleStore(users);
  const ran: string[] = [];
  const held: (() => void)[] = [];
  let n = 0;
  let problem: string | null = null;
  const runner: Pick<ScheduleRunner, "run"> = {
    async run({ id }, onlyDue, { trigger }) {
      if (problem !== null) throw new Error(problem);
      const stored = store.find(id);
      if (!stored) return "notDue";
      const startedMs = clock.wallMs();
      store.ledger.enter(stored, startedMs);
      const ranges = store.ledger.open(stored, startedMs).filter((range) => isWorkedOn(range, startedMs));
      if (onlyDue && ranges.length === 0) return "notDue";
      ran.push(`${new Date(startedMs).toISOString().slice(8, 16)} ${ranges.length}`);
      const begun = runOf({ id: `r${n++}`, scheduleId: id, startedMs, endedMs: null, trigger, state: "running" });
      store.putRun(begun);
      if (isHeld) await new Promise<void>((resolve) => held.push(resolve));
      store.ledger.put(
        id,
        ranges.map((range) => ({ ...range, state: "final" })),
      );
      const ended: ScheduleRun = { ...begun, state: "ok", endedMs: clock.wallMs() };
      store.putRun(ended);
      return ended;
    },
  };
  const schedules = new Schedules({
    store,
    runner,
    download: () => async () => NOTHING,
    events: new Events(),
    clock,
    dataFolder: path,
    notify: () => undefined,
  });
  schedules.begin();
  return {
    clock,
    users,
    store,
    schedules,
    ran,
    fail: (reason) => void (problem = reason),
    async finish() {
      held.shift()?.();
      await clock.advance(0);
    },
  };
}

it("a cancelled download of a run is no fault of the service", () => {
  expect(endFault("cancelled", null)).toMatchObject({ kind: "cancelled", message: "The download was cancelled." });
  expect(endFault("finished", null)).toBeNull();
});

/** Absences are unconfirmed at first. */
const DELIVERED: unknown = expect.stringMatching(/^(?:ok|mayStillArrive)$/);

describe("schedules run", () => {
  it("at their times, once each", async () => {
    const { clock, schedules, ran } = openDesk();
    valueOf(schedules.save(null, scheduleOf()));
    await clock.advance(18 * HOUR_MS);
    expect(ran).toEqual([]);
    await clock.advance(DAY_MS);
    expect(ran).toEqual(["06T06:30 1"]);
    valueOf(
      schedules.save(null, scheduleOf({ name: "Often", when: { kind: "every", minutes: 20 }, range: LAST_HOUR })),
    );
    await clock.advance(HOUR_MS);
    expect(ran.slice(1)).toEqual(["07T06:20 1", "07T06:30 1", "07T06:40 1", "07T07:00 1"]);
  });

  it("for all missed ranges at once, at a start and after sleep", async () => {
    const { clock, schedules, ran } = openDesk();
    valueOf(schedules.save(null, scheduleOf({ when: { kind: "every", minutes: 15 }, range: LAST_HOUR })));
    // The computer sleeps: waits stop while the wall clock advances.
    clock.setWall(START_MS + 7 * HOUR_MS + MINUTE_MS * 4);
    await clock.advance(MINUTE_MS);
    expect(ran).toEqual(["05T19:05 28"]);
    schedules.rest();
    clock.setWall(START_MS + 3 * DAY_MS + MINUTE_MS * 5);
    await clock.advance(HOUR_MS);
    expect(ran.length).toBe(1);
    schedules.begin();
    await clock.advance(0);
    expect(ran.slice(1)).toEqual(["08T13:05 264"]);
    await clock.advance(10 * MINUTE_MS);
    expect(ran.slice(2)).toEqual(["08T13:15 1"]);
  });

  it("again every minute while they cannot be stored, which the log says once until the reason changes", async () => {
    const { clock, schedules, ran, fail } = openDesk();
    const lines = vi.spyOn(log, "error").mockReturnValue();
    onTestFinished(() => lines.mockRestore());
    const reasons = (): string[] => lines.mock.calls.map(([, cause]) => (cause as Error).message);
    fail("The disk is full.");
    valueOf(schedules.save(null, scheduleOf()));
    await clock.advance(19 * HOUR_MS);
    expect(reasons()).toEqual(["The disk is full."]);
    fail("The disk is read only.");
    await clock.advance(10 * MINUTE_MS);
    expect(reasons()).toEqual(["The disk is full.", "The disk is read only."]);
    fail(null);
    await clock.advance(MINUTE_MS);
    expect(ran).toHaveLength(1);
    fail("The disk is read only.");
    await clock.advance(DAY_MS);
    expect(reasons()).toEqual(["The disk is full.", "The disk is read only.", "The disk is read only."]);
  });

  it("that another program adds or changes; without a change they are not validated again", async () => {
    const { clock, users, store, schedules, ran } = openDesk();
    const { id } = valueOf(schedules.save(null, scheduleOf({ isPaused: true })));
    const [before] = store.list();
    expect(store.list()[0]?.schedule.when).toBe(before?.schedule.when);
    const other = openUserStore(users.path);
    const elsewhere = new ScheduleStore(other);
    valueOf(elsewhere.setPaused(id, false, START_MS));
    valueOf(elsewhere.save(null, scheduleOf({ name: "Added" }), START_MS));
    other.close();
    await clock.advance(DAY_MS);
    expect(ran).toEqual(["06T06:30 1", "06T06:30 1"]);
  });

  it("one at a time; ranges that became due meanwhile follow", async () => {
    const { clock, schedules, ran, finish } = openDesk(true);
    const when = { kind: "every", minutes: 10 } as const;
    const { id } = valueOf(schedules.save(null, scheduleOf({ when, range: LAST_HOUR })));
    await clock.advance(45 * MINUTE_MS);
    expect(ran).toEqual(["05T12:10 1"]);
    expect((await schedules.run(id)).ok).toBe(false);
    await finish();
    await clock.advance(MINUTE_MS);
    expect(ran.slice(1)).toEqual(["05T12:46 3"]);
  });

  it("beside many runs that were dated by a fast clock", () => {
    const { store, schedules } = openDesk();
    schedules.rest();
    const { id } = valueOf(store.save(null, scheduleOf(), START_MS));
    for (let i = 0; i < MAX_RUNS; i++)
      store.putRun(runOf({ id: `later ${i}`, scheduleId: id, startedMs: START_MS + 400 * DAY_MS + i }));
    store.putRun(runOf({ id: "now", scheduleId: id, startedMs: START_MS, state: "interrupted" }));
    expect(store.runs(id).map((run) => run.id)).toContain("now");
    expect(schedules.list()[0]?.lastRun?.id).toBe("now");
  });

  it("although one has a damaged record", async () => {
    const { clock, users, store, schedules, ran } = openDesk();
    const when = { kind: "daily", time: "06:30", clock: "local" } as const;
    for (const [name, handledMs] of [
      ["Last date", 8.64e15],
      ["Largest", 2 ** 53 - 1],
      ["First", -8.64e15],
    ] as const) {
      const { id } = valueOf(store.save(null, scheduleOf({ name, when }), START_MS));
      users.enterScheduleRanges(id, [], { handledMs, most: 9 });
    }
    const every = { kind: "every", minutes: 60 } as const;
    const { id } = valueOf(schedules.save(null, scheduleOf({ when: every, range: LAST_HOUR })));
    users.putScheduleRun({ id: "x", scheduleId: id, startedMs: 1, content: runOf({ endedMs: 1e300 }) }, 9);
    expect(store.damage()).toMatchObject(
      [/“First”/, /“Largest”/, /“Last date”/].map((name) => expect.stringMatching(name)),
    );
    expect(schedules.list().map(({ schedule, lastRun }) => [schedule.name, lastRun])).toEqual([["Morning", null]]);
    await clock.advance(HOUR_MS);
    expect(ran).toEqual(["05T13:00 1"]);
    expect(store.named("Largest")).toMatchObject({
      error: { message: expect.stringMatching(/^The schedule “Largest” is damaged/) },
    });
    expect([store.remove("Largest"), store.damage().length]).toEqual([true, 2]);
  });

  it("not while paused, without making up for it later", async () => {
    const { clock, schedules, ran } = openDesk();
    const { id } = valueOf(schedules.save(null, scheduleOf()));
    valueOf(schedules.setPaused(id, true));
    expect(schedules.list()[0]?.nextRunMs).toBeNull();
    await clock.advance(DAY_MS);
    valueOf(schedules.setPaused(id, false));
    await clock.advance(HOUR_MS);
    expect(ran).toEqual([]);
    await clock.advance(18 * HOUR_MS);
    expect(ran).toEqual(["07T06:30 1"]);
  });

  it("if other programs saved them; only the last runs are kept", async () => {
    const { clock, store, schedules, ran } = openDesk();
    const every = { kind: "every", minutes: 5 } as const;
    valueOf(store.save(null, scheduleOf({ when: every, range: LAST_HOUR }), clock.wallMs()));
    await clock.advance((MAX_RUNS + 3) * 5 * MINUTE_MS);
    expect(ran.length).toBe(MAX_RUNS + 3);
    const [first] = schedules.list();
    const runs = store.runs(first?.id ?? "");
    expect([runs.length, runs[0]?.startedMs]).toEqual([MAX_RUNS, START_MS + (MAX_RUNS + 3) * 5 * MINUTE_MS]);
  });
});

describe("schedules changed by several windows and programs", () => {
  it("keep the changes of all", async () => {
    const { schedules } = openDesk();
    const opened = scheduleOf();
    const { id } = valueOf(schedules.save(null, opened));
    // Two windows open the form, and a command pauses the schedule.
    valueOf(schedules.save(id, { ...opened, when: { kind: "daily", time: "07:00", clock: "utc" } }, opened));
    valueOf(schedules.setPaused(id, true));
    const edited = { ...opened, keepDays: 30, name: "Evening" };
    expect(valueOf(schedules.save(id, edited, opened)).schedule).toEqual({
      ...opened,
      when: { kind: "daily", time: "07:00", clock: "utc" },
      isPaused: true,
      keepDays: 30,
      name: "Evening",
    });
    // The last edit of a setting counts.
    expect(valueOf(schedules.save(id, { ...opened, keepDays: 9 }, opened)).schedule.keepDays).toBe(9);
  });

  it("are not deleted by one that did not see the changes", async () => {
    const { schedules, store } = openDesk();
    const opened = scheduleOf();
    const { id } = valueOf(schedules.save(null, opened));
    const { schedule: changed } = valueOf(schedules.save(id, { ...opened, keepDays: 30 }, opened));
    expect(await schedules.remove(id, opened)).toMatchObject({ ok: false, error: { kind: "usage" } });
    expect(store.find(id)?.schedule).toEqual(changed);
    valueOf(await schedules.remove(id, changed));
    expect(store.find(id)).toBeNull();
  });
});

describe("the report of a run", () => {
  it("names stations without data and the reason, with the worst first", () => {
    const cell = { variable: "ztd", range: { startMs: 0, endMs: 1 }, rows: 0 } as const;
    const missing = missingOf([
      { ...cell, stationId: "a", state: "empty", reason: null },
      { ...cell, stationId: "b", state: "ok", reason: null, rows: 2 },
      { ...cell, stationId: "c", state: "failed", reason: "It broke." },
      { ...cell, stationId: "c", variable: "pwv", state: "failed", reason: "It broke." },
      { ...cell, stationId: "d", state: "failed", reason: "It broke." },
      { ...cell, stationId: "e", state: "stale", reason: null, rows: 7 },
    ]);
    expect(missing).toEqual([
      { state: "failed", reason: "It broke.", stations: 2, stationIds: ["c", "d"] },
      { state: "empty", reason: null, stations: 1, stationIds: ["a"] },
    ]);
  });

  it("names stations with missing values, with the worst first", () => {
    const shares = [
      { name: "Torsvika", complete: 0.995, answered: 1 },
      { name: "Oulu", complete: 0.9894, answered: 1 },
      { name: "Kallio", complete: 0.5088, answered: 1 },
      // Time without an answer is not missing data, but said.
      { name: "Vaara", complete: 1, answered: 0.4 },
      { name: "Blitzstein", complete: null, answered: 0 },
    ];
    expect(incompleteText("ZTD", shares)).toBe(
      "Less than 99 % of ZTD: Blitzstein (0 % of the time answered), Vaara 100 % (40.0 % of the time answered), " +
        "Kallio 50.9 %, Oulu 98.9 %.",
    );
    // No station is listed with the limit itself.
    expect(incompleteText("ZTD", [shares[0]!, { name: "Near", complete: 0.9897, answered: 0.9899 }])).toBeNull();
    const many = Array.from({ length: 12 }, (_, i) => ({ name: `s${i}`, complete: 0, answered: 1 }));
    expect(incompleteText("ZTD", many)).toMatch(/ s9 0 % and 2 more stations\.$/);
  });

  it("is a notification as the user chose", () => {
    const notified = (["ok", "incomplete", "failed", "stopped"] as const).map((state) =>
      (["never", "failure", "end"] as const).map((notice) => {
        const shown: string[] = [];
        const announce = createRunNotifier(
          { ...NO_DESKTOP, notify: (title) => void shown.push(title) },
          new Events(),
          () => true,
        );
        announce(scheduleOf({ notice }), {
          state,
          alarms: [],
          missing: [],
          files: [],
          remarks: [],
          reason: null,
        } as never);
        return shown.length === 1;
      }),
    );
    expect(notified).toEqual([
      [false, false, true],
      [false, true, true],
      [false, true, true],
      [false, false, false],
    ]);
  });

  it("old data is deleted by whole days, except data that a range still needs", async () => {
    const today = Math.floor(START_MS / DAY_MS) * DAY_MS;
    const deletedBefore = async (neededFromMs: number): Promise<number | undefined> => {
      let endMs: number | undefined;
      const forgetInSteps = async ({ range }: { readonly range: TimeRange | null }) => ((endMs = range?.endMs), 0);
      const cache = { sizes: () => [], forgetInSteps };
      const connection = { cache, record: { id: "c1" }, session: { confirmedMs: () => START_MS } };
      const how = { wallMs: START_MS, neededFromMs: () => [neededFromMs], jobs: [], signal: never };
      await forgetOld(connection as never, { stationIds: ["a"], variables: ["ztd"] }, 3, how);
      return endMs;
    };
    expect(await deletedBefore(START_MS - DAY_MS)).toBe(today - 3 * DAY_MS);
    expect(await deletedBefore(START_MS - 9 * DAY_MS)).toBe(START_MS - 9 * DAY_MS);
  });
});

/** Other remarks on missing data depend on the service. */
function isOfFigure(remark: string): boolean {
  return !remark.startsWith("Less than 99 %");
}

/** Runs a schedule, and waits for the end. */
async function ran(window: TestWindow, id: string): Promise<ScheduleRun> {
  const ended = event(window, "scheduleEnded", () => true);
  valueOf(await window.bridge.schedules.run({ id }));
  return (await ended).run;
}

async function saveOneStation(
  { bridge }: TestWindow,
  connectionId: string,
  stationIds: readonly string[],
  change: { readonly figure?: boolean } = {},
): Promise<void> {
  const saved = {
    name: "One station",
    connectionId,
    stationIds,
    variables: ["pwv"],
    intervalSeconds: null,
    raw: false,
    resampled: false,
    range: { kind: "relative", period: "yesterday" },
    format: "csv",
    heightReference: "WGS84_ELLIPSOID",
    template: "{name}.{ext}",
    ...change,
  } as const;
  valueOf(await bridge.export.save({ saved }));
}

async function open() {
  const opened = await connectedWorld({}, {}, 1);
  return { ...opened, stationIds: ordinary(opened.world, 2) };
}

describe("a run of a schedule", () => {
  const CSV = { kind: "own", format: "csv", heightReference: "WGS84_ELLIPSOID", template: "{name}.{ext}" } as const;

  it("downloads, replaces its own files in later runs, and never replaces others", async () => {
    const { world, window, bridge, connectionId, stationIds } = await open();
    await saveOneStation(window, connectionId, stationIds.slice(0, 1));
    const given = scheduleOf({
      connectionId,
      stations: { kind: "list", stationIds },
      range: { start: "now-26h", end: "now-25h" },
      exports: [CSV, { kind: "saved", name: "One station" }],
    });
    const { id, folder: out } = valueOf(await bridge.schedules.save({ id: null, schedule: given }));
    const first = await ran(window, id);
    expect(first).toMatchObject({ state: DELIVERED, stations: 2, forgottenRows: 0 });
    expect(readdirSync(out).filter((name) => name.endsWith(".csv"))).toEqual(["Morning.csv", "One-station.csv"]);
    expect(first.files.map((file) => file.rows > 0)).toEqual([true, true]);
    world.service.resetStats();
    expect(await ran(window, id)).toMatchObject({ state: DELIVERED, rows: 0, requests: 0 });
    expect(world.service.stats.requests).toBe(0);
    // Jobs of earlier runs are removed.
    expect(valueOf(await bridge.jobs.list({})).length).toBeLessThanOrEqual(2);

    // What somebody put in place of a file is not the schedule's any more.
    for (const name of ["Morning.csv", "One-station.csv.json"]) {
      const path = join(out, name);
      const written = readFileSync(path);
      writeFileSync(path, "mine");
      const kept = await ran(window, id);
      expect(kept).toMatchObject({ state: "failed", faultKind: "disk" });
      expect(kept.reason).toContain(path);
      expect(readFileSync(path, "utf8")).toBe("mine");
      // Of the same size, too.
      writeFileSync(path, written);
      utimesSync(path, 0, 0);
      expect(await ran(window, id)).toMatchObject({ state: name.endsWith(".csv") ? "failed" : DELIVERED });
      rmSync(path);
      expect(await ran(window, id)).toMatchObject({ state: DELIVERED });
    }

    const foreign = valueOf(await bridge.schedules.save({ id: null, schedule: { ...given, name: "Other" } }));
    mkdirSync(foreign.folder, { recursive: true });
    writeFileSync(join(foreign.folder, "Other.csv"), "mine");
    const refused = await ran(window, foreign.id);
    expect(refused).toMatchObject({ state: "failed", faultKind: "disk", files: [{}] });
    expect(refused.reason).toContain("Other.csv exists");
    expect(readFileSync(join(foreign.folder, "Other.csv"), "utf8")).toBe("mine");
    expect(existsSync(join(foreign.folder, "One-station.csv"))).toBe(true);
  });

  it("draws figures beside its files; one that cannot be drawn is reported without affecting others", async () => {
    const { world, window, bridge, connectionId, stationIds } = await open();
    await saveOneStation(window, connectionId, stationIds.slice(0, 1), { figure: true });
    const given = scheduleOf({
      connectionId,
      stations: { kind: "list", stationIds },
      range: { start: "now-26h", end: "now-25h" },
      exports: [
        CSV,
        { kind: "figure", format: "svg", template: "{name}.{ext}" },
        { kind: "saved", name: "One station" },
      ],
    });
    const { id, folder: out } = valueOf(await bridge.schedules.save({ id: null, schedule: given }));
    const names = ["Morning.csv", "Morning.svg", "One-station.csv", "One-station.pdf"];
    for (let run = 0; run < 2; run++) {
      // The second run replaces the figures of the first.
      const done = await ran(window, id);
      expect(done.state).toEqual(DELIVERED);
      expect(done.remarks.filter(isOfFigure)).toEqual([]);
      expect(done.files.map(({ path }) => basename(path)).toSorted()).toEqual(names);
    }
    const svg = readFileSync(join(out, "Morning.svg"), "utf8");
    expect(svg.slice(0, 100)).toMatch(/^<\?xml [^>]*>\s*<svg /);
    const drawn = world.service.world.stations.filter(({ id: station }) => stationIds.includes(station));
    expect(drawn.filter(({ displayName }) => svg.includes(`>${displayName}<`))).toEqual(drawn);
    expect(readFileSync(join(out, "One-station.pdf")).subarray(0, 5).toString()).toBe("%PDF-");

    const foreign = valueOf(await bridge.schedules.save({ id: null, schedule: { ...given, name: "Other" } }));
    mkdirSync(foreign.folder, { recursive: true });
    writeFileSync(join(foreign.folder, "Other.svg"), "mine");
    const withRemark = await ran(window, foreign.id);
    expect(withRemark.state).toEqual(DELIVERED);
    expect(withRemark.remarks.filter(isOfFigure)).toEqual([expect.stringContaining("Other.svg exists")]);
    expect(withRemark.files.map(({ path }) => basename(path)).toSorted()).toEqual([
      "One-station.csv",
      "One-station.pdf",
      "Other.csv",
    ]);
    expect(readFileSync(join(foreign.folder, "Other.svg"), "utf8")).toBe("mine");
  });

  it("reports withheld stations, and uses the current stations of a group", async () => {
    const { world, window, bridge, connectionId, stationIds } = await open();
    const [withheld = ""] = stationIds;
    const group = (ids: string[]) =>
      bridge.settings.changeGroups({ before: [], after: [{ connectionId, name: "Mine", stationIds: ids }] });
    valueOf(await group([withheld]));
    world.service.setOrganization("test", { withheldStationIds: [withheld] });
    const given = scheduleOf({ connectionId, stations: { kind: "group", name: "Mine" }, exports: [CSV] });
    const { id } = valueOf(await bridge.schedules.save({ id: null, schedule: given }));
    const none = await ran(window, id);
    expect(none.missing[0]).toMatchObject({ state: "forbidden", stations: 1, stationIds: [withheld] });
    valueOf(await group(stationIds));
    const partly = await ran(window, id);
    expect(partly).toMatchObject({ state: "incomplete", stations: 2 });
    expect(partly.missing[0]).toMatchObject({ state: "forbidden", stations: 1 });
    valueOf(await group([]));
    expect(await ran(window, id)).toMatchObject({ state: "failed", reason: expect.stringContaining("“Mine”") });
    expect(world.desktop.notices).toEqual([
      expect.stringMatching(/^Schedule “Morning”: /),
      expect.stringMatching(/^Schedule “Morning”: Incomplete: .*failed or without access\.(?: Less than 99 % of .*)?$/),
      expect.stringMatching(/^Schedule “Morning”: Failed: /),
    ]);
  });

  it("deletes data older than the limit, except of pinned stations", async () => {
    const { world, window, bridge, app, connectionId, stationIds } = await open();
    const [pinned = "", other = ""] = stationIds;
    const range = { start: "now-26h", end: "now-25h" };
    const old = { startMs: world.clock.wallMs() - 9 * DAY_MS, endMs: world.clock.wallMs() - 9 * DAY_MS + HOUR_MS };
    const spec = { stationIds, variables: ["ztd"], range: old, intervalSeconds: null, raw: false } as const;
    const done = event(window, "jobChanged", (job) => job.state === "finished");
    valueOf(await bridge.jobs.start({ connectionId, spec, keepUp: false }));
    await done;
    valueOf(await bridge.cache.pin({ connectionId, stationIds: [pinned], isPinned: true }));
    const given = scheduleOf({ connectionId, stations: { kind: "list", stationIds }, range, keepDays: 5 });
    const { id } = valueOf(await bridge.schedules.save({ id: null, schedule: given }));
    const run = await ran(window, id);
    expect(run).toMatchObject({ state: DELIVERED });
    expect(run.forgottenRows).toBeGreaterThan(100);
    const record = app.connections.find(connectionId);
    if (!record) throw new Error("no connection");
    const connection = await app.connections.open(record);
    const left = app.jobs.missing(connection, { ...spec, stationIds: [pinned, other] }).map((station) => station.id);
    expect(left).toEqual([other]);
  });

  it("keeps data that a saved export of another schedule needs", async () => {
    const { world, window, bridge, app, connectionId, stationIds } = await open();
    const [station = "", other = ""] = stationIds;
    const oldMs = world.clock.wallMs() - 9 * DAY_MS;
    const range = { startMs: oldMs, endMs: oldMs + HOUR_MS };
    const data = { stationIds: [station], variables: ["ztd"], intervalSeconds: null, raw: false } as const;
    const done = event(window, "jobChanged", (job) => job.state === "finished");
    valueOf(await bridge.jobs.start({ connectionId, spec: { ...data, range }, keepUp: false }));
    await done;
    const exported = {
      ...data,
      name: "Month",
      connectionId,
      range: { kind: "relative", period: "last30Days" },
      resampled: false,
      format: "csv",
      heightReference: "WGS84_ELLIPSOID",
      template: "{name}.{ext}",
    } as const;
    valueOf(app.savedExports.save([exported]));
    const monthly = scheduleOf({
      name: "Monthly",
      connectionId,
      stations: { kind: "list", stationIds: [other] },
      exports: [{ kind: "saved", name: "Month" }],
      isPaused: true,
    });
    valueOf(await bridge.schedules.save({ id: null, schedule: monthly }));
    const moving = { start: "now-26h", end: "now-25h" };
    const given = scheduleOf({
      connectionId,
      stations: { kind: "list", stationIds: [station] },
      range: moving,
      keepDays: 5,
    });
    const { id } = valueOf(await bridge.schedules.save({ id: null, schedule: given }));
    expect(await ran(window, id)).toMatchObject({ state: DELIVERED, forgottenRows: 0 });
  });

  it("keeps data that are old only by the clock of this computer", async () => {
    const { world, window: first, connectionId } = await connectedWorld({ now: () => NOW_MS }, {}, 1);
    const stationIds = ordinary(world, 1);
    const old = { startMs: NOW_MS - 9 * DAY_MS, endMs: NOW_MS - 9 * DAY_MS + HOUR_MS };
    const spec = { stationIds, variables: ["ztd"], range: old, intervalSeconds: null, raw: false } as const;
    const done = event(first, "jobChanged", (job) => job.state === "finished");
    valueOf(await first.bridge.jobs.start({ connectionId, spec, keepUp: false }));
    await done;
    const given = scheduleOf({ connectionId, stations: { kind: "list", stationIds }, keepDays: 30 });
    valueOf(await first.bridge.schedules.save({ id: null, schedule: given }));
    await first.app.close();
    // The next start makes up for the runs that this clock missed. The service tells its time after the range was planned.
    Object.assign(world.clock, { wallMs: () => NOW_MS + 400 * DAY_MS });
    const window = world.open();
    const { run } = await event(window, "scheduleEnded", () => true);
    expect(run.forgottenRows).toBe(0);
    expect(run.remarks).toContainEqual(
      expect.stringMatching(/^The service has not confirmed the clock of this computer/),
    );
    const record = window.app.connections.find(connectionId);
    if (!record) throw new Error("no connection");
    const connection = await window.app.connections.open(record);
    expect(window.app.jobs.missing(connection, spec)).toEqual([]);
  });

  it("is repeated at the next start after the program was closed during it", async () => {
    const { world, window, connectionId } = await connectedWorld(
      { faults: [{ fault: { kind: "slow", delayMs: 60_000 }, endpoints: ["query"] }] },
      {},
      1,
    );
    const stations = { kind: "list", stationIds: ordinary(world, 1) } as const;
    const given = scheduleOf({ connectionId, stations, when: { kind: "every", minutes: 10_080 } });
    const { id } = valueOf(await window.bridge.schedules.save({ id: null, schedule: given }));
    valueOf(await window.bridge.schedules.run({ id }));
    await window.app.close();
    await world.service.close();
    await world.serve({ faults: [] });
    const again = world.open();
    const { run } = await event(again, "scheduleEnded", () => true);
    expect(run).toMatchObject({ trigger: "retry", state: DELIVERED });
    const states = valueOf(await again.bridge.schedules.history({ id })).map((one) => one.state);
    expect(states).toEqual([DELIVERED, "interrupted"]);
  });

  it("says what its download waits for, and until when", async () => {
    const { world, window, bridge, connectionId, stationIds } = await open();
    const stations = { kind: "list", stationIds } as const;
    const { id } = valueOf(await bridge.schedules.save({ id: null, schedule: scheduleOf({ connectionId, stations }) }));
    world.service.setFaults([{ fault: { kind: "status", status: 429, retryAfter: "300" }, endpoints: ["query"] }]);
    const waits = event(window, "jobChanged", ({ progress }) => (progress?.waitingUntilMs ?? null) !== null);
    valueOf(await bridge.schedules.run({ id }));
    const job = await waits;
    const [kept] = valueOf(await bridge.schedules.list({}));
    expect(kept).toMatchObject({ stage: "download", jobId: job.id });
    const nowMs = world.clock.wallMs();
    expect(nextText(kept!, nowMs, job)).toMatch(/^The service asked to wait until \d\d:\d\d/);
    expect(nextText(kept!, nowMs, null)).toBe("Downloading …");
    valueOf(await bridge.schedules.stop({ id }));
  });

  it("ends in order if the schedule is removed during it, and says what became of its files", async () => {
    const { window, bridge, app, connectionId, stationIds } = await open();
    const given = scheduleOf({
      connectionId,
      stations: { kind: "list", stationIds },
      range: { start: "now-26h", end: "now-25h" },
      exports: [CSV],
      keepDays: 5,
    });
    const { store } = app.schedules;
    const { signal } = new AbortController();
    const { id, folder: out } = valueOf(await bridge.schedules.save({ id: null, schedule: given }));
    expect((await ran(window, id)).state).toEqual(DELIVERED);
    const file = readFileSync(join(out, "Morning.csv"), "utf8");
    const record = app.connections.find(connectionId);
    if (!record) throw new Error("no connection");
    (await app.connections.open(record)).cache.forget(null, null);
    const stored = store.find(id)!;
    const download = async () => {
      store.remove(id);
      return NOTHING;
    };
    expect(await app.scheduleRunner.run(stored, false, { trigger: "user", signal, download })).toMatchObject({
      state: "stopped",
      faultKind: "cancelled",
      reason: expect.stringMatching(/^The schedule was removed during this run, so no file was written\./),
      files: [],
    });
    expect(readFileSync(join(out, "Morning.csv"), "utf8")).toBe(file);

    const later = valueOf(store.save(null, { ...given, name: "Evening" }, NOW_MS));
    const onStage = (stage: string) => void (stage === "export" && store.remove(later.id));
    const how = { trigger: "user", signal, download: async () => NOTHING, onStage } as const;
    expect(await app.scheduleRunner.run(later, false, how)).toMatchObject({
      state: "ok",
      files: [{ path: expect.stringContaining("Evening.csv") }],
      forgottenRows: 0,
      remarks: expect.arrayContaining([
        "The schedule was removed during this run. Its files stay, and no old data were deleted.",
      ]),
    });
  });

  it("excludes runs of the schedule by other programs of the data folder", async () => {
    const {
      world,
      window: one,
      connectionId,
    } = await connectedWorld({ faults: [{ fault: { kind: "slow", delayMs: 300 }, endpoints: ["query"] }] }, {}, 1);
    const other = world.open();
    const stations = { kind: "list", stationIds: ordinary(world, 1) } as const;
    const { id } = valueOf(
      await one.bridge.schedules.save({ id: null, schedule: scheduleOf({ connectionId, stations }) }),
    );
    const ended = event(one, "scheduleEnded", () => true);
    valueOf(await one.bridge.schedules.run({ id }));
    const refused = await other.bridge.schedules.run({ id });
    expect(refused).toMatchObject({ ok: false, error: { kind: "usage", message: expect.stringContaining("running") } });
    await ended;
    expect(valueOf(await other.bridge.schedules.history({ id })).length).toBe(1);
  });
});

it("a run that another program has leaves no listener behind", async () => {
  const path = join(folder(), "user.db");
  const users = openUserStore(path);
  users.putConnection(CONNECTION);
  const store = new ScheduleStore(users);
  let listeners = 0;
  class CountingEvents extends Events {
    override subscribe(listener: Parameters<Events["subscribe"]>[0]): () => void {
      listeners++;
      const unsubscribe = super.subscribe(listener);
      return () => {
        listeners--;
        unsubscribe();
      };
    }
  }
  const schedules = new Schedules({
    store,
    runner: { run: async () => "elsewhere" },
    download: () => async () => NOTHING,
    events: new CountingEvents(),
    clock: fakeClock(START_MS),
    dataFolder: path,
    notify: () => undefined,
  });
  const { id } = valueOf(schedules.save(null, scheduleOf()));
  expect(await schedules.run(id)).toMatchObject({ error: { message: expect.stringContaining("another program") } });
  expect(listeners).toBe(0);
  users.close();
});
