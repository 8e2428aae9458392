import { GAP_MARKS, gapMark } from "#shared/plot/gapMarks.ts";
import type { GapUnder, PanelModel } from "#shared/plot/panel.ts";
import type { GapCause } from "#shared/series/gap.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { HatchSwatch } from "../../ui/HatchSwatch.tsx";
import { count, exactDuration } from "../../ui/text.ts";
import floating from "../../ui/floating.module.css";
import { useCursor } from "./useKeyCursor.ts";
import classes from "./series.module.css";

/** What pressing a gap does. */
const PRESS_HINTS: Partial<Record<GapCause, string>> = {
  notAsked: ". Press to fetch it.",
  nothingOrFiltered: ". Press to show rejected data.",
};

/** Describes a gap: cause, duration, reason if known, and what pressing it does: "failed, 2 h. The service …". */
export function gapHintWords({ cause, range, reason }: Pick<GapUnder, "cause" | "range" | "reason">): string {
  const length = exactDuration((range.endMs - range.startMs) / 1000);
  const why = reason === undefined ? "" : `. ${reason}`;
  return `${gapMark(cause).word}, ${length}${why}${PRESS_HINTS[cause] ?? ""}`;
}

/** A tooltip beside the cursor that describes the gap under it. */
export function GapHint({ nameOf, isOff }: { readonly nameOf: (id: string) => string; readonly isOff: boolean }) {
  const place = useCursor((s) => s.place);
  const gap = place?.gap;
  if (!place || !gap || isOff) return null;
  const who = gap.stationId === null ? `${count(gap.stations)} stations` : nameOf(gap.stationId);
  const isLeft = place.clientX > window.innerWidth - 340;
  return (
    <div
      role="tooltip"
      className={`${floating["tooltip"]} ${classes["gapHint"]}`}
      style={{
        top: place.clientY + 16,
        ...(isLeft ? { right: window.innerWidth - place.clientX + 12 } : { left: place.clientX + 12 }),
      }}
    >
      {who}: {gapHintWords(gap)}
    </div>
  );
}

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
