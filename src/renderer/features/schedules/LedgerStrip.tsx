import type { KeptSchedule } from "#shared/bridge/methods/jobs.ts";
import { type LedgerRange, RANGE_STATE_WORDS, RANGE_STATES, type RangeState } from "#shared/schedule/ledger.ts";
import { DAY_MS, formatUtcShort, type UtcMs } from "#shared/time/utc.ts";
import { ledgerOf } from "../../ask/questions.ts";
import { useAsk } from "../../ask/useAsk.ts";
import { many } from "../../ui/text.ts";
import classes from "./schedules.module.css";

/** Number of days in the strip. */
const DAYS = 60;

interface LedgerDay {
  readonly dayMs: UtcMs;
  readonly state: RangeState;
  readonly reason: string | null;
}

/** The days of the ranges, each with the worst state of a range that ends in it, oldest first. */
function ledgerDays(ranges: readonly LedgerRange[]): LedgerDay[] {
  const days = Map.groupBy(ranges, ({ endMs }) => Math.floor((endMs - 1) / DAY_MS) * DAY_MS);
  return [...days]
    .toSorted(([a], [b]) => a - b)
    .map(([dayMs, all]) => {
      const [worst] = all.toSorted((a, b) => RANGE_STATES.indexOf(a.state) - RANGE_STATES.indexOf(b.state));
      return { dayMs, state: worst?.state ?? "due", reason: worst?.reason ?? null };
    });
}

function dayText({ dayMs, state, reason }: LedgerDay): string {
  return `${formatUtcShort(dayMs).slice(0, 10)}: ${RANGE_STATE_WORDS[state]}${reason === null ? "" : `. ${reason}`}`;
}

/** The last days of a schedule's ledger as a strip, with a summary in words. */
export function LedgerStrip({ kept: { id } }: { readonly kept: KeptSchedule }) {
  const { value } = useAsk(ledgerOf, { id }, { delayMs: 0 });
  const all = ledgerDays(value ?? []);
  if (all.length === 0) return null;
  const days = all.slice(-DAYS);
  const counts = RANGE_STATES.toReversed().flatMap((state) => {
    const n = days.filter((day) => day.state === state).length;
    if (n === 0) return [];
    return [n === days.length ? RANGE_STATE_WORDS[state] : `${RANGE_STATE_WORDS[state]} ${n}`];
  });
  return (
    <div className="row flex-wrap gap-x-3 gap-y-1 pb-2">
      <div className="flex gap-0.5" aria-hidden>
        {days.map((day) => (
          <span key={day.dayMs} className={classes["day"]} data-state={day.state} title={dayText(day)} />
        ))}
      </div>
      <span className={classes["quiet"]}>
        {days.length < all.length ? `Last ${many(days.length, "day")}` : many(days.length, "day")}: {counts.join(", ")}
      </span>
    </div>
  );
}
