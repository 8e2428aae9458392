import type { GapCause } from "#shared/series/gap.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { GAP_MARKS } from "#shared/plot/gapMarks.ts";
import type { PanelModel } from "#shared/plot/panel.ts";
import { HatchSwatch } from "../../ui/HatchSwatch.tsx";
import classes from "./series.module.css";

/** Returns the causes of the visible gaps. */
export function causesIn(models: readonly PanelModel[], view: TimeRange): ReadonlySet<GapCause> {
  const gaps = models.flatMap((model) => model.gaps.flatMap((station) => station.gaps));
  return new Set(gaps.filter((g) => g.range.startMs < view.endMs && g.range.endMs > view.startMs).map((g) => g.cause));
}

/** Explains the hatching of the visible causes. */
export function GapLegend({ causes }: { readonly causes: ReadonlySet<GapCause> }) {
  if (causes.size === 0) return null;
  return (
    <ul className={classes["gapLegend"]} aria-label="Causes of gaps">
      {GAP_MARKS.filter((mark) => causes.has(mark.cause)).map((mark) => (
        <li key={mark.cause} title={mark.meaning}>
          <HatchSwatch mark={mark} />
          {mark.word}
        </li>
      ))}
    </ul>
  );
}
