import { type CSSProperties, Fragment, type ReactNode, useEffect, useRef } from "react";
import { allLines, type PanelModel } from "#shared/plot/panel.ts";
import { readMoment, readTrack, type ReadValue } from "../../plot/readout.ts";
import { gapMark } from "#shared/plot/gapMarks.ts";
import type { Stage } from "../../plot/stage.ts";
import { anyValue, exactValue, roundedValue } from "#shared/plot/values.ts";
import { lengthText } from "#shared/series/cell.ts";
import { useSettings } from "../../stores/settings.ts";
import { MiddleCut } from "../../ui/MiddleCut.tsx";
import { includes } from "#shared/time/rangeset.ts";
import { count, localClock, utc } from "../../ui/text.ts";
import { useCursor } from "./useKeyCursor.ts";
import classes from "./series.module.css";

/** More lines scroll. */
const MAX_LINES = 5;

interface ReadoutProps {
  readonly stage: Stage;
  readonly models: readonly PanelModel[];
}

/** The values at the cursor: exact values if rows are shown, else means and ranges. */
export function Readout({ stage, models }: ReadoutProps) {
  const place = useCursor((s) => s.place);
  const showLocal = useSettings((s) => s.settings.localTime);
  const box = useRef<HTMLParagraphElement>(null);
  const nearestId = place?.stationId;
  useEffect(() => showNearest(box.current), [nearestId]);
  if (!place) {
    return (
      <p className={classes["readout"]} style={linesFor(models)}>
        <span>Point at the plot to read values. Drag to zoom, Shift and drag to move, double-click to go back.</span>
      </p>
    );
  }
  const momentMs = readMoment(models, place.momentMs, stage.view());
  const here = showLocal ? localClock(momentMs) : null;
  const named = new Map(
    [...(models[0]?.lines ?? []), ...models.flatMap((m) => m.fromFiles)].map((l) => [l.stationId, l]),
  );
  return (
    <p ref={box} className={classes["readout"]} style={linesFor(models)} data-moment={momentMs}>
      <span className="text-quiet">
        cursor {utc(momentMs)} UTC
        {meansText(models)}
        {here === null ? null : <span className={classes["quiet"]}> ({here} here)</span>}
      </span>
      {[...named.values()].map(({ stationId, name, colour }) => (
        <span
          key={stationId}
          className={`${classes["reading"]} row flex-wrap gap-x-1.5 rounded-box text-ink whitespace-nowrap`}
          data-nearest={(named.size > 1 && nearestId === stationId) || undefined}
        >
          <i data-swatch style={{ background: `var(${colour})` }} />
          <b>
            <MiddleCut text={name} />
          </b>
          {models
            .filter((model) => allLines(model).some((l) => l.stationId === stationId))
            .map((model) => (
              <Fragment key={model.quantity.key}>
                {valueOf(model, stationId, { momentMs, named: models.length > 1 })}
              </Fragment>
            ))}
        </span>
      ))}
    </p>
  );
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
  const foot = row.offsetTop + row.offsetHeight - box.clientHeight;
  box.scrollTop = Math.min(row.offsetTop - time.offsetHeight, Math.max(box.scrollTop, foot));
}

/** Reserves space for the time and the values of all stations, so that the layout does not move. */
function linesFor(models: readonly PanelModel[]): CSSProperties {
  const stations = Math.max(0, ...models.map((model) => allLines(model).length));
  return { "--lines": Math.min(MAX_LINES, 1 + stations) } as CSSProperties;
}

interface ReadAt {
  readonly momentMs: number;
  readonly named: boolean;
}

// Functions and no components: a hundred values follow the cursor.
function valueOf(model: PanelModel, stationId: string, { momentMs, named }: ReadAt): ReactNode {
  const line = allLines(model).find((each) => each.stationId === stationId);
  const read = line?.track ? readTrack(line.track, momentMs) : null;
  const isOfFile = model.fromFiles.some((each) => each.stationId === stationId);
  const raw = line?.behind ? readTrack(line.behind.track, momentMs) : null;
  const { key: variable, unit, short } = model.quantity;
  const prefix = named ? `${short} ` : "";
  const quiet = classes["quiet"];
  if (read === null && raw === null) {
    const gaps = model.gaps.find((g) => g.stationId === stationId)?.gaps;
    const gap = gaps?.find((g) => momentMs >= g.range.startMs && momentMs < g.range.endMs);
    return <span className={quiet}>{`${prefix}${gap ? gapMark(gap.cause).word : "–"}`}</span>;
  }
  const isJudged = read === null && includes(line?.behind?.judged ?? [], momentMs);
  return (
    <span>
      {prefix}
      {read === null ? null : figureOf(read, unit, { isOfFile, "data-variable": variable })}
      {raw === null ? null : (
        <>
          {read === null ? null : <span className={quiet}>, raw </span>}
          {figureOf(raw, unit, { "data-raw": variable })}
          {read === null ? (
            <span className={quiet}>{isJudged ? ", raw: filtered out by the service" : ", raw"}</span>
          ) : null}
        </>
      )}
    </span>
  );
}

/** The exact value of a row, or the statistics of a column of time. */
function figureOf(read: ReadValue, unit: string, { isOfFile = false, ...marks }: Marks): ReactNode {
  const exact = isOfFile ? anyValue : exactValue;
  const rounded = isOfFile ? anyValue : roundedValue;
  if (read.kind === "row") {
    const sigma = Number.isNaN(read.sigma) ? "" : ` ±${exactValue(read.sigma)}`;
    return <span {...marks} data-value={read.value}>{`${exact(read.value)}${sigma} ${unit}`}</span>;
  }
  const range = read.count > 1 ? `, ${rounded(read.min)}–${rounded(read.max)}` : "";
  return (
    <>
      {`${rounded(read.mean)} ${unit} `}
      <span className={classes["quiet"]}>{`(mean of ${count(read.count)}${range})`}</span>
    </>
  );
}

interface Marks {
  readonly "data-variable"?: string;
  readonly "data-raw"?: string;
  /** Whether the value is from a file, whose values may have any magnitude. */
  readonly isOfFile?: boolean;
}
