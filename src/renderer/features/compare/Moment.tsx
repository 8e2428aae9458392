import type { CSSProperties, KeyboardEvent, PointerEvent } from "react";
import type { TimeRange } from "#shared/time/range.ts";
import { utc } from "../../ui/text.ts";
import { LineSwatch } from "../series/Legend.tsx";
import classes from "./compare.module.css";
import { LEFT, plotWidth, RIGHT } from "./figures/axes.ts";
import type { ReadMoment, Readings } from "./figures/picture.ts";
import { create } from "zustand";

/** The moment that is read in all figures over time; apart from React's tree, since it changes with every move. */
const useMoment = create<{ readonly momentMs: number | null }>(() => ({ momentMs: null }));

/** As fine as a screen: a key moves by one of so many parts of the range, with Shift by ten of them. */
const KEY_STEPS = 1_000;

/** Where a key puts the moment; null takes it away, undefined is a key that does nothing here. */
function movedBy(
  { key, shiftKey }: { readonly key: string; readonly shiftKey: boolean },
  momentMs: number | null,
  { startMs, endMs }: TimeRange,
): number | null | undefined {
  const stepMs = ((endMs - startMs) / KEY_STEPS) * (shiftKey ? 10 : 1);
  const fromMs = momentMs ?? (startMs + endMs) / 2;
  const clamped = (ms: number): number => Math.min(endMs - 1, Math.max(startMs, ms));
  if (key === "ArrowLeft") return clamped(fromMs - stepMs);
  if (key === "ArrowRight") return clamped(fromMs + stepMs);
  if (key === "Home") return startMs;
  if (key === "End") return endMs - 1;
  if (key === "Escape" && momentMs !== null) return null;
  return undefined;
}

/** A row is meant where the cursor is at most this share of the range away: about four pixels. */
const SNAP_SHARE = 1 / 250;
const SECOND_MS = 1_000;

interface MomentCursorProps {
  readonly title: string;
  readonly readings: Readings;
}

/** Lies over a figure and tells the moment that is pointed at, with a line there; arrow keys move it. */
export function MomentCursor({ title, readings }: MomentCursorProps) {
  const { range } = readings;
  const momentMs = useMoment((s) => inRange(s.momentMs, range));
  const read = momentMs === null ? null : readAt(readings, momentMs);
  const onPointerMove = ({ currentTarget, clientX }: PointerEvent<HTMLDivElement>): void => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (clientX - left - LEFT) / plotWidth(width)));
    setMoment(Math.min(range.endMs - 1, range.startMs + share * (range.endMs - range.startMs)));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = movedBy(event, momentMs, range);
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    setMoment(next);
  };
  return (
    <div
      className={classes["cursor"]}
      role="slider"
      tabIndex={0}
      aria-label={`Moment to read: ${title}`}
      aria-valuemin={range.startMs}
      aria-valuemax={range.endMs}
      aria-valuenow={Math.round(momentMs ?? range.startMs)}
      aria-valuetext={read ? wordsOf(read) : "no moment selected"}
      onPointerMove={onPointerMove}
      onPointerLeave={() => setMoment(null)}
      onKeyDown={onKeyDown}
    >
      {read ? <i style={placeOf(read.momentMs, range)} /> : null}
    </div>
  );
}

/** What the figure shows at the moment, station by station. */
export function MomentReadout({ readings }: { readonly readings: Readings }) {
  const momentMs = useMoment((s) => inRange(s.momentMs, readings.range));
  if (momentMs === null) {
    return <p className={classes["readout"]}>Point at the plot, or move with the arrow keys, to read values.</p>;
  }
  const read = readAt(readings, momentMs);
  return (
    <div
      className={classes["readout"]}
      role="region"
      aria-label="Values at the moment"
      tabIndex={0}
      data-moment={Math.round(read.momentMs)}
    >
      <span>{utc(toSecond(read.momentMs))} UTC</span>
      {read.values.map(({ id, name, slot, text }) => (
        <span key={id} className={classes["reading"]}>
          <LineSwatch slot={slot} />
          {name} <b>{text}</b>
        </span>
      ))}
    </div>
  );
}

/** What is read in a figure now: its moment, and the values there; null where none is. */
export function wordsAtMoment(readings: Readings): string | null {
  const momentMs = inRange(useMoment.getState().momentMs, readings.range);
  return momentMs === null ? null : wordsOf(readAt(readings, momentMs));
}

function setMoment(momentMs: number | null): void {
  useMoment.setState({ momentMs });
}

/** Other figures may be of another range for a moment, while a new one is read. */
function inRange(momentMs: number | null, { startMs, endMs }: TimeRange): number | null {
  return momentMs !== null && momentMs >= startMs && momentMs < endMs ? momentMs : null;
}

function readAt({ at, range }: Readings, momentMs: number): ReadMoment {
  return at(momentMs, (range.endMs - range.startMs) * SNAP_SHARE);
}

function wordsOf({ momentMs, values }: ReadMoment): string {
  return `${utc(toSecond(momentMs))} UTC: ${values.map(({ name, text }) => `${name} ${text}`).join("; ")}`;
}

/** Where no row is meant a cursor is not more exact than its pixel. */
function toSecond(momentMs: number): number {
  return Math.round(momentMs / SECOND_MS) * SECOND_MS;
}

function placeOf(momentMs: number, { startMs, endMs }: TimeRange): CSSProperties {
  const share = (momentMs - startMs) / (endMs - startMs);
  return { left: `calc(${LEFT}px + (100% - ${LEFT + RIGHT}px) * ${share})` };
}
