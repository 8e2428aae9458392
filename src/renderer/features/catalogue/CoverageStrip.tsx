import type { StationCoverage } from "#shared/bridge/methods/catalogue.ts";
import { durationMs, type TimeRange } from "#shared/time/range.ts";
import { totalMs } from "#shared/time/rangeset.ts";
import classes from "./strip.module.css";
import { shareWords } from "./columns.ts";

interface StripProps {
  readonly range: TimeRange;
  readonly coverage: StationCoverage | undefined;
  /** Stands in until the coverage is known: 0 to 1. */
  readonly share?: number;
}

/** "62 % cached, 3 % may still change, 35 % not downloaded" */
export function stripWords(range: TimeRange, { final, provisional }: StationCoverage): string {
  const whole = durationMs(range);
  const shares = { final: totalMs(final) / whole, provisional: totalMs(provisional) / whole };
  const left = 1 - shares.final - shares.provisional;
  return [
    `${shareWords(shares.final)} cached`,
    ...(shares.provisional > 0 ? [`${shareWords(shares.provisional)} may still change`] : []),
    // What is left of sums of many parts may be a crumb of the arithmetic.
    ...(left > 1e-9 ? [`${shareWords(left)} not downloaded`] : []),
  ].join(", ");
}

/** Which parts of the time range are cached: a full bar where final, a half one where more may come, else none. */
export function CoverageStrip({ range, coverage, share = 0 }: StripProps) {
  const whole = durationMs(range);
  const part = ({ startMs, endMs }: TimeRange) => ({
    x: ((startMs - range.startMs) / whole) * 100,
    width: Math.max(0.4, ((endMs - startMs) / whole) * 100),
  });
  const title = coverage ? stripWords(range, coverage) : `${shareWords(share)} cached`;
  return (
    <svg viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label={title} className={classes["strip"]}>
      <title>{title}</title>
      <rect className={classes["none"]} width={100} height={8} />
      {coverage ? (
        <>
          {coverage.final.map((r) => (
            <rect key={r.startMs} className={classes["final"]} {...part(r)} height={8} />
          ))}
          {coverage.provisional.map((r) => (
            <rect key={r.startMs} className={classes["final"]} {...part(r)} y={4} height={4} />
          ))}
        </>
      ) : (
        <rect className={classes["final"]} width={share * 100} height={8} />
      )}
    </svg>
  );
}

/** What the marks of a strip mean. */
export function StripLegend() {
  return (
    <ul className={classes["legend"]}>
      <li>
        <span className={classes["key"]} data-mark="final" /> final
      </li>
      <li>
        <span className={classes["key"]} data-mark="provisional" /> may still change
      </li>
      <li>
        <span className={classes["key"]} data-mark="none" /> not downloaded
      </li>
    </ul>
  );
}
