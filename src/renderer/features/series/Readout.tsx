import { type CSSProperties, type ReactNode, useEffect, useRef } from "react";
import { allLines, linesByName, type PanelLine, type PanelModel, subjectOf } from "#shared/plot/panel.ts";
import { newestMoment, readMoment, readParts } from "../../plot/readout.ts";
import type { Stage } from "../../plot/stage.ts";
import { lengthText } from "#shared/series/cell.ts";
import { useSettings } from "../../stores/settings.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { MiddleCut } from "../../ui/MiddleCut.tsx";
import { localClock, utc } from "../../ui/text.ts";
import { useCursor } from "./useKeyCursor.ts";
import { usePane } from "../../stores/pane.ts";
import { STATISTICS_OPEN } from "./Statistics.tsx";
import classes from "./series.module.css";

/** More lines scroll: in a low view, or above statistics, with only the moment and the nearest line in sight. */
const MAX_LINES = 5;
const LOW_LINES = 2;
const PADDING_PX = 4;
/** In a low view, it sticks to the foot while something is pointed at: over the plots, which it does not move. */
const READOUT = `${classes["readout"]} relative grid h-[calc(9px+20px*var(--lines))] low:sticky low:z-2 low:bottom-0 low:h-[calc(9px+20px*var(--low-lines))] low:bg-surface low:not-data-moment:hidden`;

/** The values at the cursor, else the newest ones of the range: exact values if rows are shown, else means and ranges. */
export function Readout({ stage, models }: { readonly stage: Stage; readonly models: readonly PanelModel[] }) {
  const place = useCursor((s) => s.place);
  const showLocal = useSettings((s) => s.settings.localTime);
  const box = useRef<HTMLParagraphElement>(null);
  const nearestId = place?.stationId ?? null;
  useEffect(() => showNearest(box.current), [nearestId]);
  // With a cursor, the readout does not depend on the range.
  const endMs = useWorkspace((s) => (place ? null : s.range.endMs));
  const cursorMs = place ? readMoment(models, place.momentMs, stage.view()) : null;
  const moments = models.map((model) => cursorMs ?? newestMoment(model, endMs ?? 0));
  const momentMs = cursorMs ?? Math.max(-Infinity, ...moments.map((ms) => ms ?? -Infinity));
  const [hasStatistics] = usePane(STATISTICS_OPEN);
  const style = linesFor(models, hasStatistics);
  if (momentMs === -Infinity) return <p className={READOUT} style={style} />;
  const here = showLocal ? localClock(momentMs) : null;
  const rows = rowsOf(models);
  const isScrolled = 1 + rows.length > style["--lines"];
  return (
    <p
      ref={box}
      className={READOUT}
      style={style}
      data-moment={cursorMs ?? undefined}
      {...(isScrolled && { role: "group", "aria-label": "Values", tabIndex: 0 })}
    >
      <span className="text-quiet">
        {place ? "cursor" : "newest shown"} {utc(momentMs)} UTC
        {olderText(models, moments, momentMs)}
        {meansText(models)}
        {here === null ? null : <span className={classes["quiet"]}> ({here} here)</span>}
      </span>
      {rows.map(({ lineIds, name, colour }) => (
        <span
          key={lineIds[0]}
          className={`${classes["reading"]} row flex-wrap gap-x-1.5 rounded-box text-ink whitespace-nowrap`}
          data-nearest={(rows.length > 1 && nearestId !== null && lineIds.includes(nearestId)) || undefined}
        >
          <i data-swatch style={{ background: `var(${colour})` }} />
          <b>
            <MiddleCut text={name} />
          </b>
          {models.map((model, i) => {
            const atMs = moments[i] ?? null;
            const lines = allLines(model).filter(({ stationId }) => lineIds.includes(stationId));
            // Also without a value, so that those of other lines are below each other.
            return (
              <span key={model.quantity.key}>
                {lines.length > 0 && atMs !== null && models.length > 1 ? `${model.quantity.short} ` : null}
                {atMs === null ? null : lines.map((line) => readingOf(model, line, atMs, place !== null))}
              </span>
            );
          })}
        </span>
      ))}
    </p>
  );
}

interface Row {
  readonly name: string;
  readonly colour: string;
  /** Lines whose values it shows. */
  readonly lineIds: readonly string[];
}

/** A row for each station, under it one for its earlier time, and one for each site of a file, with the values of all panels. */
function rowsOf(models: readonly PanelModel[]): readonly Row[] {
  const bySubject = Map.groupBy(linesByName(models), ([line]) => line && subjectOf(line));
  return [...bySubject.values()].flat().flatMap((lines) =>
    lines.slice(0, 1).map(({ name, colour, earlier }) => ({
      name: earlier?.from ?? name,
      colour,
      lineIds: lines.map(({ stationId }) => stationId),
    })),
  );
}

/** The times of variables whose newest values are older than those of others: ", PWV 11:20:00". */
function olderText(models: readonly PanelModel[], moments: readonly (number | null)[], newestMs: number): string {
  const [day = ""] = utc(newestMs).split(" ");
  return models
    .map(({ quantity }, i) => {
      const atMs = moments[i] ?? newestMs;
      return atMs === newestMs ? "" : `, ${quantity.short} ${utc(atMs).replace(day, "").trim()}`;
    })
    .join("");
}

/** Says where means are drawn, because their times in tables and files are the starts of their intervals. */
function meansText(models: readonly PanelModel[]): string {
  const lengths = new Set(
    models.flatMap((model) =>
      model.lines.map(({ track }) => (track?.cell?.kind === "interval" ? track.cell.lengthMs : 0)),
    ),
  );
  const [only = 0, ...others] = lengths;
  return only > 0 && others.length === 0 ? `, middle of means over ${lengthText(only)}` : "";
}

/** Scrolls to the nearest line, below the time. Only here: a view that scrolls would move the plot under the pointer. */
function showNearest(box: HTMLElement | null): void {
  const [time, row] = box?.querySelectorAll<HTMLElement>(":scope > :first-child, [data-nearest]") ?? [];
  if (!box || !time || !row) return;
  const foot = row.offsetTop + row.offsetHeight + PADDING_PX - box.clientHeight;
  box.scrollTop = Math.min(row.offsetTop - time.offsetHeight, Math.max(box.scrollTop, foot));
}

/** Reserves space for the time and all rows, so that the layout does not move. */
function linesFor(
  models: readonly PanelModel[],
  hasStatistics: boolean,
): CSSProperties & { readonly "--lines": number } {
  const all = Math.min(MAX_LINES, 1 + rowsOf(models).length);
  const few = all < MAX_LINES ? all : LOW_LINES;
  return { "--lines": hasStatistics ? few : all, "--low-lines": few } as CSSProperties & { readonly "--lines": number };
}

/** What a line shows at a moment. A function and no component: a hundred values follow the cursor. */
function readingOf(model: PanelModel, line: PanelLine, momentMs: number, isAtCursor: boolean): ReactNode {
  const variable = isAtCursor ? model.quantity.key : undefined;
  return readParts(model, line, momentMs).map(({ text, isQuiet, row }, i) => (
    <span
      key={i}
      className={isQuiet ? classes["quiet"] : undefined}
      data-value={row?.value}
      data-variable={row?.kind === "value" ? variable : undefined}
      data-raw={row?.kind === "raw" ? variable : undefined}
    >
      {text}
    </span>
  ));
}
