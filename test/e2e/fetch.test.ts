import { beforeAll, afterAll, expect, it } from "vitest";
import { type RunningService, startService } from "#service/index.ts";
import type { TimeSeriesQuery } from "#shared/service/query.ts";
import { KEY, NOW_MS } from "../support/desk.ts";
import { tries } from "../support/endurance.ts";
import { SOON } from "./harness/soon.ts";
import { forEachShell } from "./harness/forEachShell.ts";
import { allCached, choose, connect, drawer, fetchButton, pointsOf, setRange } from "./harness/steps.ts";

const MAX_POINTS = 3_000;
const MAX_CONCURRENT = 2;
/** Responses under way at each interruption may have been sent without being stored. */
const LOST_RESPONSES = MAX_CONCURRENT;
const STATIONS = ["Kallio", "Torsvika"];

function queries({ stats }: RunningService) {
  return stats.log.filter((r) => r.endpoint === "query");
}

function answered(service: RunningService) {
  return queries(service).filter((r) => r.status === 200);
}

/** Number of requests that overlap an earlier answered request. */
function repeated(service: RunningService): number {
  const known: { readonly stationId: string; readonly query: TimeSeriesQuery }[] = [];
  let repeats = 0;
  for (const { query, status, isAborted } of queries(service)) {
    if (!query || status !== 200 || isAborted) continue;
    const { startMs, endMs, stationIds } = query;
    const overlaps = known.some(
      (a) => stationIds.includes(a.stationId) && a.query.startMs < endMs && a.query.endMs > startMs,
    );
    if (overlaps) repeats++;
    for (const stationId of stationIds) known.push({ stationId, query });
  }
  return repeats;
}

const SLOW_MS = 300;
/** Longer than any test, so that these responses never arrive. */
const HELD_MS = 600_000;

forEachShell("downloads", { shells: tries(1, Infinity) }, (page, shell) => {
  let service: RunningService;

  function delayResponses(delayMs: number): void {
    service.setFaults([{ fault: { kind: "slow", delayMs }, endpoints: ["query"] }]);
  }

  /** Waits until a download is half done, and keeps it there. */
  async function stopHalfway(before: number): Promise<void> {
    await expect.poll(() => answered(service).length - before, SOON).toBeGreaterThan(2 * MAX_CONCURRENT);
    delayResponses(HELD_MS);
    const count = queries(service).length;
    await expect.poll(() => queries(service).length, SOON).toBeGreaterThan(count);
  }

  beforeAll(async () => {
    service = await startService({
      now: () => NOW_MS,
      organizations: [
        { key: KEY, name: "test", owner: "aurora", maxPoints: MAX_POINTS, maxConcurrent: MAX_CONCURRENT },
      ],
    });
  });
  afterAll(() => service.close());

  it("cost as many points as the button announces", async () => {
    await connect(page, service.url, KEY);
    await choose(page, STATIONS);
    await setRange(page, "2026-09-01", "2026-09-03");
    await fetchButton(page).waitFor();
    const points = await pointsOf(fetchButton(page));
    // Two stations, three days at 30 s.
    expect(points).toBe(2 * 3 * 2880);
    await fetchButton(page).click();
    await allCached(page);
    // A few more ask once more about what was missing.
    const sent = answered(service).reduce((sum, r) => sum + (r.points ?? 0), 0);
    expect([sent >= points, sent < points * 1.05]).toEqual([true, true]);
  });

  it("list split requests and the verdict of each station in the drawer", async () => {
    const jobs = await drawer(page);
    const job = jobs.getByRole("listitem").first();
    await job.getByText("Finished").waitFor();
    await job.getByText(/\d+ split into smaller requests/).waitFor();
    expect(service.stats.byStatus[413]).toBeGreaterThan(0);
    await job.getByRole("button", { name: "Show results by station" }).click();
    const verdicts = jobs.getByRole("grid", { name: "Verdicts" }).locator("[data-row]");
    await expect
      .poll(() => verdicts.allInnerTexts(), SOON)
      .toEqual(expect.arrayContaining([expect.stringMatching(/\d\s+ok$/)]));
    expect((await verdicts.allInnerTexts()).filter((text) => !/ok$|may still arrive/.test(text))).toEqual([]);
  });

  it("can be paused, resumed and cancelled, and received data remain", async () => {
    delayResponses(SLOW_MS);
    await setRange(page, "2026-07-01", "2026-07-06");
    const before = answered(service).length;
    await fetchButton(page).click();
    const job = (await drawer(page)).getByRole("listitem").first();
    await stopHalfway(before);
    await job.getByRole("button", { name: "Pause" }).click();
    await job.getByText("Paused").waitFor();
    const after = queries(service).length;
    await job.getByRole("button", { name: "Resume" }).click();
    await expect.poll(() => queries(service).length, SOON).toBeGreaterThan(after);
    await job.getByRole("button", { name: "Cancel" }).click();
    await job.getByText("Cancelled").waitFor();
    await expect.poll(() => pointsOf(fetchButton(page)), SOON).toBeLessThan(2 * 6 * 2880);
    expect(await pointsOf(fetchButton(page))).toBeGreaterThan(0);
    service.setFaults([]);
    await job.getByRole("button", { name: "Retry missing data" }).click();
    await allCached(page);
    await job.getByText("Finished").waitFor();
    // A pause and an end.
    expect(repeated(service)).toBeLessThanOrEqual(2 * LOST_RESPONSES);
  });

  it("resume with a message after a crash of the core, and repeat only requests under way", async () => {
    delayResponses(SLOW_MS);
    await setRange(page, "2026-06-01", "2026-06-06");
    const before = answered(service).length;
    await fetchButton(page).click();
    await stopHalfway(before);
    service.setFaults([]);
    await shell.killCore();
    await page.getByText(/The core was restarted/).waitFor();
    await allCached(page);
    shell.calm();
    expect(repeated(service)).toBeLessThanOrEqual(3 * LOST_RESPONSES);
  });

  it("resume after the application was killed and restarted, and the workspace is restored", async () => {
    delayResponses(SLOW_MS);
    await setRange(page, "2026-05-01", "2026-05-06");
    const before = answered(service).length;
    await fetchButton(page).click();
    await stopHalfway(before);
    service.setFaults([]);
    await shell.killAndRestart();
    await allCached(page);
    for (const name of STATIONS) await page.getByRole("group", { name: "Stations shown" }).getByText(name).waitFor();
    const range = page.getByRole("group", { name: "Time range" }).getByRole("button").first();
    await expect.poll(() => range.innerText(), SOON).toContain("2026-05-01");
    const job = (await drawer(page)).getByRole("listitem").first();
    await job.getByText("Finished").waitFor();
    expect(repeated(service)).toBeLessThanOrEqual(4 * LOST_RESPONSES);
  });
});
