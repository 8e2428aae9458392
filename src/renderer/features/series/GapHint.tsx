import type { GapCause } from "#shared/series/gap.ts";
import { gapMark } from "#shared/plot/gapMarks.ts";
import type { GapUnder } from "#shared/plot/panel.ts";
import { count, duration } from "../../ui/text.ts";
import floating from "../../ui/floating.module.css";
import { useCursor } from "./cursor.ts";
import classes from "./series.module.css";

/** What a press brings. */
const PRESS: Partial<Record<GapCause, string>> = {
  notAsked: ". Press to fetch it.",
  nothingOrFiltered: ". Press to show rejected data.",
};

/** "failed, 2 h. The service …": the cause, how long, why it failed where that is known, and what a press would do. */
export function gapHintWords({ cause, range, reason }: Pick<GapUnder, "cause" | "range" | "reason">): string {
  const length = duration((range.endMs - range.startMs) / 1000);
  const why = reason === undefined ? "" : `. ${reason}`;
  return `${gapMark(cause).word}, ${length}${why}${PRESS[cause] ?? ""}`;
}

/** Beside the cursor: why there is nothing here, for how long, and what a press would do. */
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
