import type { CSSProperties, KeyboardEvent, PointerEvent } from "react";
import type { TimeRange } from "#shared/time/range.ts";
import { utc } from "../../ui/text.ts";
import { LineSwatch } from "../series/Legend.tsx";
import classes from "./compare.module.css";
import { LEFT, plotWidth, RIGHT } from "#shared/plot/figure/axes.ts";
import type { Reading, Readings } from "./figures/picture.ts";
import { create } from "zustand";

/** The time under the cursor, shared by all figures over time. Kept outside of React state because it changes with every move. */
const useCursorTime = create<{ readonly timeMs: number | null }>(() => ({ timeMs: null }));

/** An arrow key moves by 1/1000 of the range, about a pixel; with Shift by ten times as much. */
const KEY_STEPS = 1_000;

/** Returns the time that a key moves to; null if it removes the cursor, undefined for other keys. */
function movedBy(
  { key, shiftKey }: { readonly key: string; readonly shiftKey: boolean },
  timeMs: number | null,
  { startMs, endMs }: TimeRange,
): number | null | undefined {
  const stepMs = ((endMs - startMs) / KEY_STEPS) * (shiftKey ? 10 : 1);
  const fromMs = timeMs ?? (startMs + endMs) / 2;
  const clamped = (ms: number): number => Math.min(endMs - 1, Math.max(startMs, ms));
  if (key === "ArrowLeft") return clamped(fromMs - stepMs);
  if (key === "ArrowRight") return clamped(fromMs + stepMs);
  if (key === "Home") return startMs;
  if (key === "End") return endMs - 1;
  if (key === "Escape" && timeMs !== null) return null;
  return undefined;
}

/** The cursor snaps to a row within this share of the range, about four pixels. */
const SNAP_SHARE = 1 / 250;
const SECOND_MS = 1_000;

/** An overlay of a figure that draws a line at the time under the pointer; arrow keys move it. */
export function TimeCursor({ title, readings }: { readonly title: string; readonly readings: Readings }) {
  const { range } = readings;
  const timeMs = useCursorTime((s) => inRange(s.timeMs, range));
  const read = timeMs === null ? null : readAt(readings, timeMs);
  const onPointerMove = ({ currentTarget, clientX }: PointerEvent<HTMLDivElement>): void => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (clientX - left - LEFT) / plotWidth(width)));
    setCursorTime(Math.min(range.endMs - 1, range.startMs + share * (range.endMs - range.startMs)));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = movedBy(event, timeMs, range);
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    setCursorTime(next);
  };
  return (
    <div
      className={classes["cursor"]}
      role="slider"
      tabIndex={0}
      aria-label={`Time to read: ${title}`}
      aria-valuemin={range.startMs}
      aria-valuemax={range.endMs}
      aria-valuenow={Math.round(timeMs ?? range.startMs)}
      aria-valuetext={read ? readingWords(read) : "no time selected"}
      onPointerMove={onPointerMove}
      onPointerLeave={() => setCursorTime(null)}
      onKeyDown={onKeyDown}
    >
      {read ? <i style={cursorStyle(read.timeMs, range)} /> : null}
    </div>
  );
}

/** The values of all stations at the time under the cursor. */
export function TimeReadout({ readings }: { readonly readings: Readings }) {
  const timeMs = useCursorTime((s) => inRange(s.timeMs, readings.range));
  if (timeMs === null) {
    return <p className={classes["readout"]}>Point at the plot, or move with the arrow keys, to read values.</p>;
  }
  const read = readAt(readings, timeMs);
  return (
    <div
      className={classes["readout"]}
      role="region"
      aria-label="Values at the cursor"
      tabIndex={0}
      data-moment={Math.round(read.timeMs)}
    >
      <span>{utc(toSecond(read.timeMs))} UTC</span>
      {read.values.map(({ id, name, slot, text }) => (
        <span key={id} className={`${classes["reading"]} inline-row gap-1.5`}>
          <LineSwatch slot={slot} />
          {name} <b>{text}</b>
        </span>
      ))}
    </div>
  );
}

/** Returns the time and the values under the cursor of a figure as text; null without a cursor. */
export function textAtCursor(readings: Readings): string | null {
  const timeMs = inRange(useCursorTime.getState().timeMs, readings.range);
  return timeMs === null ? null : readingWords(readAt(readings, timeMs));
}

function setCursorTime(timeMs: number | null): void {
  useCursorTime.setState({ timeMs });
}

/** While a new range is being read, other figures may still show the previous one. */
function inRange(timeMs: number | null, { startMs, endMs }: TimeRange): number | null {
  return timeMs !== null && timeMs >= startMs && timeMs < endMs ? timeMs : null;
}

function readAt({ at, range }: Readings, timeMs: number): Reading {
  return at(timeMs, (range.endMs - range.startMs) * SNAP_SHARE);
}

function readingWords({ timeMs, values }: Reading): string {
  return `${utc(toSecond(timeMs))} UTC: ${values.map(({ name, text }) => `${name} ${text}`).join("; ")}`;
}

/** Rounds to seconds: without a row to snap to, the cursor is no more exact than its pixel. */
function toSecond(timeMs: number): number {
  return Math.round(timeMs / SECOND_MS) * SECOND_MS;
}

function cursorStyle(timeMs: number, { startMs, endMs }: TimeRange): CSSProperties {
  const share = (timeMs - startMs) / (endMs - startMs);
  return { left: `calc(${LEFT}px + (100% - ${LEFT + RIGHT}px) * ${share})` };
}
