import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { reportingWaits } from "#main/cli/download/waits.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] }));
afterEach(() => void vi.useRealTimers());

async function notesAfter(seconds: number, hasAnswered: boolean): Promise<string[]> {
  const notes: string[] = [];
  const limiter = { outage: () => null, pausedUntilMs: () => null, onOutage: () => () => {} };
  const work = Promise.withResolvers<void>();
  const reported = reportingWaits(
    { output: { note: (text: string) => notes.push(text) } } as never,
    { session: { limiter, patience: { jobMs: 0 } } } as never,
    () => work.promise,
    () => hasAnswered,
  );
  vi.advanceTimersByTime(1_000 * seconds);
  work.resolve();
  await reported;
  return notes;
}

it("reports a slow answer only while nothing has arrived", async () => {
  expect(await notesAfter(4, false)).toEqual([]);
  expect(await notesAfter(6, false)).toEqual([expect.stringContaining("not answered completely")]);
  expect(await notesAfter(6, true)).toEqual([]);
});
