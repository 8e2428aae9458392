import { z } from "zod";
import type { Bridge } from "#shared/bridge/contract.ts";
import type { SeriesGaps, SeriesWindow } from "#shared/bridge/methods/series.ts";
import type { PanelLine, PanelModel } from "#shared/plot/panel.ts";
import { trackOf } from "#shared/plot/track.ts";
import { cellOfInterval } from "#shared/series/cell.ts";
import { success } from "#shared/service/error.ts";
import { SCALAR_VARIABLES } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { addMonths } from "#shared/time/typed.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { bridge } from "../../bridge/index.ts";
import { duration, utcMinutes } from "../../ui/text.ts";
import { pane } from "../../stores/pane.ts";

const beside = z.union([z.literal("year"), z.number().refine((ms) => ms !== 0)]).nullable();
type Beside = z.output<typeof beside>;

/** The earlier time that is drawn beside the range: the same season of last year, or a shift in milliseconds; null: none. */
export const BESIDE = pane("series.beside", beside.catch(null));

/** Returns by how much the earlier data are shifted towards the range, ms; 0 if none are drawn. */
export function shiftOf(beside: Beside, { startMs }: TimeRange): number {
  return beside === "year" ? startMs - addMonths(startMs, -12) : (beside ?? 0);
}

export function movedBy({ startMs, endMs }: TimeRange, byMs: number): TimeRange {
  return { startMs: startMs + byMs, endMs: endMs + byMs };
}

/** Reads windows of an earlier time as if their data were of the requested one. @param shiftMs returns the shift */
export function earlierWindows(
  shiftMs: () => number,
  series: Pick<Bridge["series"], "window"> = bridge.series,
): Pick<Bridge["series"], "window"> {
  return {
    async window(input, options) {
      const byMs = shiftMs();
      const answer = await series.window({ ...input, range: movedBy(input.range, -byMs) }, options);
      return answer.ok ? success(answer.value.map((window) => movedWindow(window, byMs))) : answer;
    },
  };
}

function movedWindow(window: SeriesWindow, byMs: number): SeriesWindow {
  const range = movedBy(window.range, byMs);
  return window.kind === "rows"
    ? { ...window, range, timesMs: window.timesMs.map((ms) => ms + byMs) }
    : { ...window, range };
}

/** Short dashes, which neither stations nor files use. */
const DASH = [2, 2] as const;

interface Earlier {
  readonly windows: ReadonlyMap<string, SeriesWindow>;
  /** At their own times. */
  readonly gaps: readonly SeriesGaps[];
  /** The begin of the earlier time. */
  readonly startMs: number;
  readonly shiftMs: number;
  readonly intervalSeconds: number | null;
}

/** Adds the lines of the earlier time to the panels, in the colours of their stations, with their gaps. */
export function withBeside(models: readonly PanelModel[], { windows, gaps, ...shift }: Earlier): readonly PanelModel[] {
  if (windows.size === 0 || shift.shiftMs === 0) return models;
  const { shiftMs: byMs } = shift;
  const from = `from ${utcMinutes(shift.startMs).slice(0, 10)}`;
  const cell = cellOfInterval(shift.intervalSeconds);
  return models.map((model) => {
    const variable = SCALAR_VARIABLES.find((v) => v === model.quantity.key);
    if (variable === undefined) return model;
    const lines = model.lines.flatMap(({ stationId, name, colour }): PanelLine[] => {
      const window = windows.get(stationId);
      const track = window ? trackOf(window, variable, null, { stepSeconds: null, cell }) : null;
      const line = { stationId: besideId(stationId), name: `${name} ${from}`, colour, dash: DASH, rejected: null };
      return track ? [{ ...line, track, earlier: { stationId, byMs, from } }] : [];
    });
    const moved = gaps
      .filter((each) => each.variable === variable)
      .map((each) => ({
        stationId: besideId(each.stationId),
        gaps: each.gaps.map((gap) => ({ ...gap, range: movedBy(gap.range, byMs) })),
      }));
    return { ...model, fromFiles: [...model.fromFiles, ...lines], gaps: [...model.gaps, ...moved] };
  });
}

function besideId(stationId: string): string {
  return `beside ${stationId}`;
}

/** Says what is drawn: "365 d earlier, 2025-11-21 00:00 → 2025-11-28 00:00 UTC". */
export function besideWords(range: TimeRange, shiftMs: number): string {
  const { startMs, endMs } = movedBy(range, -shiftMs);
  const length =
    Math.abs(shiftMs) % DAY_MS === 0 ? `${Math.abs(shiftMs) / DAY_MS} d` : duration(Math.abs(shiftMs) / 1_000);
  return `${length} ${shiftMs > 0 ? "earlier" : "later"}, ${utcMinutes(startMs)} → ${utcMinutes(endMs)} UTC`;
}
