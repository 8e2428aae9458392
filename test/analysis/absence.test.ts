import { expect, it } from "vitest";
import { judgeAnswer } from "#main/analysis/absence.ts";
import type { ProvisionalExtent } from "#shared/series/rows.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { runsOf } from "#shared/time/runs.ts";
import { MINUTE_MS } from "#shared/time/utc.ts";

const STEP_SECONDS = 300;
const at = (minutes: number): number => Date.UTC(2026, 9, 1, 8) + minutes * MINUTE_MS;
const span = (from: number, to: number): TimeRange => ({ startMs: at(from), endMs: at(to) });

/** The coverage after a response with a value every five minutes. */
function after(range: TimeRange, minutes: readonly number[], provisional: readonly ProvisionalExtent[]) {
  return judgeAnswer(
    {
      range,
      times: runsOf(Float64Array.from(minutes, at)),
      stepSeconds: STEP_SECONDS,
      oldUntilMs: at(10_000),
      hasLosses: false,
      intervalSeconds: null,
      nowMs: at(20_000),
      isOldEnough: () => true,
      mayConfirm: true,
      known: () => [],
    },
    { final: [], provisional },
  );
}

it("a request that begins between two values leaves an unconfirmed absence before the first one open", () => {
  const open = { range: span(0, 120), fetchedAtMs: at(1_000) };
  const { final, provisional } = after(span(119.5, 160.5), [120, 125, 130, 135, 140, 145, 150, 155, 160], [open]);
  expect(provisional).toEqual([{ range: span(119.5, 120), fetchedAtMs: at(1_000) }]);
  expect(final).toEqual([span(120, 160.5)]);
});

it("a second response confirms an absence of whole steps", () => {
  const open = { range: span(0, 120), fetchedAtMs: at(1_000) };
  const { final, provisional } = after(span(-0.5, 121), [120], [open]);
  expect(provisional).toEqual([]);
  expect(final).toEqual([span(-0.5, 121)]);
});
