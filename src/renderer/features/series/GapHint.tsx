import type { GapCause } from "#shared/series/gap.ts";
import { gapMark } from "../../plot/gapMarks.ts";
import { count, duration } from "../../ui/text.ts";
import floating from "../../ui/floating.module.css";
import { useCursor } from "./cursor.ts";
import classes from "./series.module.css";

/** What a press brings. */
const PRESS: Partial<Record<GapCause, string>> = {
  notAsked: ". Press to fetch it.",
  nothingOrFiltered: ". Press to look behind the filter.",
};

/** Beside the cursor: why there is nothing here, for how long, and what a press would do. */
export function GapHint({ nameOf, isOff }: { readonly nameOf: (id: string) => string; readonly isOff: boolean }) {
  const place = useCursor((s) => s.place);
  const gap = place?.gap;
  if (!place || !gap || isOff) return null;
  const who = gap.stationId === null ? `${count(gap.stations)} stations` : nameOf(gap.stationId);
  const seconds = (gap.range.endMs - gap.range.startMs) / 1000;
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
      {who}: {gapMark(gap.cause).word}, {duration(seconds)}
      {PRESS[gap.cause] ?? ""}
    </div>
  );
}
