import * as fc from "fast-check";
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
function after(
  range: TimeRange,
  minutes: readonly number[],
  provisional: readonly ProvisionalExtent[],
  change: Partial<Parameters<typeof judgeAnswer>[0]> = {},
) {
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
      isDue: () => true,
      hasValues: true,
      ...change,
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

it("a response that follows too soon confirms nothing, and does not postpone the decision", () => {
  const open = [
    { range: span(0, 60), fetchedAtMs: at(1_000) },
    { range: span(60, 120), fetchedAtMs: at(1_100) },
  ];
  const { final, provisional } = after(span(0, 121), [120], open, {
    isOldEnough: (fetchedAtMs) => fetchedAtMs < at(1_100),
  });
  expect(provisional).toEqual([open[1]]);
  expect(final).toEqual([span(0, 60), span(120, 121)]);
});

/** Whether each step has a value: stretches with values and without any take turns, and values may prevail. */
const answers = fc
  .record({
    lengths: fc.array(
      fc.nat({ max: 40 }).map((n) => n + 1),
      { minLength: 1, maxLength: 30 },
    ),
    startsAbsent: fc.boolean(),
    prevalence: fc.constantFrom(1, 20),
  })
  .map(({ lengths, startsAbsent, prevalence }) =>
    lengths.flatMap((n, i) => {
      const isPresent = (i % 2 === 0) !== startsAbsent;
      return Array.from({ length: isPresent ? n * prevalence : n }, () => isPresent);
    }),
  );

it("only short absences among old, dense values of a first response are believed", () => {
  fc.assert(
    fc.property(answers, fc.nat({ max: 3_000 }), fc.boolean(), (epochs, oldSteps, hasLosses) => {
      const isOpen = openSteps(epochs, { oldSteps, hasLosses });
      const believed = absences(epochs).filter(
        // The absence includes the time between its last epoch and the next value.
        ({ from, to }) => from > 0 && to < epochs.length && to - from < 12 && to <= oldSteps && !hasLosses,
      );
      const steps = believed.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, k) => from + k));
      // More of them than one in ten values: the response may be thinned, and is open as a whole.
      const settled = new Set(steps.length > 0.1 * epochs.length ? [] : steps);
      expect(epochs.flatMap((isPresent, i) => (isPresent || settled.has(i) || isOpen[i] ? [] : [i]))).toEqual([]);
    }),
  );
});

function absences(epochs: readonly boolean[]): { readonly from: number; readonly to: number }[] {
  return epochs.flatMap((isPresent, from) => {
    if (isPresent || epochs[from - 1] === false) return [];
    const to = epochs.indexOf(true, from);
    return [{ from, to: to < 0 ? epochs.length : to }];
  });
}

/** Whether a first response with these values leaves each step open. */
function openSteps(
  epochs: readonly boolean[],
  { oldSteps, hasLosses }: { readonly oldSteps: number; readonly hasLosses: boolean },
): boolean[] {
  const minutes = epochs.flatMap((isPresent, i) => (isPresent ? [5 * i] : []));
  const { provisional } = after(span(0, 5 * epochs.length), minutes, [], { oldUntilMs: at(5 * oldSteps), hasLosses });
  return epochs.map((_, i) => provisional.some(({ range }) => range.startMs <= at(5 * i) && at(5 * i) < range.endMs));
}
