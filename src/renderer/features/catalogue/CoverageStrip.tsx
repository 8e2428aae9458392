import type { StationCoverage } from "#shared/bridge/methods/catalogue.ts";
import { percent } from "#shared/series/statistics.ts";
import { durationMs, type TimeRange } from "#shared/time/range.ts";
import { totalMs } from "#shared/time/rangeset.ts";
import classes from "./strip.module.css";

interface StripProps {
  readonly range: TimeRange;
  readonly coverage: StationCoverage | undefined;
  /** Cached share, 0 to 1, shown until the coverage is loaded. */
  readonly share?: number;
}

/** Describes the coverage: "62 % cached, 3 % may still change, 35 % not downloaded". */
function stripWords(range: TimeRange, { final, provisional }: StationCoverage): string {
  const whole = durationMs(range);
  const shares = { final: totalMs(final) / whole, provisional: totalMs(provisional) / whole };
  const missing = 1 - shares.final - shares.provisional;
  return [
    `${percent(shares.final, 0)} cached`,
    ...(shares.provisional > 0 ? [`${percent(shares.provisional, 0)} may still change`] : []),
    // The sum of many parts may have a rounding error.
    ...(missing > 1e-9 ? [`${percent(missing, 0)} not downloaded`] : []),
  ].join(", ");
}

/** Shows which parts of the time range are cached: a full bar for final data, half a bar for provisional data. */
export function CoverageStrip({ range, coverage, share = 0 }: StripProps) {
  const whole = durationMs(range);
  const part = ({ startMs, endMs }: TimeRange) => ({
    x: ((startMs - range.startMs) / whole) * 100,
    width: Math.max(0.4, ((endMs - startMs) / whole) * 100),
  });
  const title = coverage ? stripWords(range, coverage) : `${percent(share, 0)} cached`;
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

/** Explains the bars of a strip. */
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
