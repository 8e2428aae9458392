import { MARK_COLUMNS, type MarkPlaces, MARKS, type StationMarks } from "#shared/bridge/methods/compare.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { VectorShape } from "#shared/plot/figure/scene.ts";
import { count } from "../../../ui/text.ts";
import type { CsvCell } from "#shared/file/csv.ts";
import type { SheetTable } from "../save.ts";
import { formatUtc } from "#shared/time/utc.ts";
import { MARK_WORDS } from "../format.ts";
import { axes, clippedTo, LEFT, line, plotWidth, rect } from "#shared/plot/figure/axes.ts";
import type { Picture, PlottedStation } from "./picture.ts";
import { text } from "#shared/plot/figure/page.ts";
import { colourOf } from "./boxes.ts";

/** Maximum number of lanes: more would be too low to be distinguished. */
const MAX_LANES = 8;
/** Minimum width of a tick, so that a single flagged value among years is visible. */
const MIN_PX = 2;
const NAME_PX = 16;

/** A station with flagged values. */
interface MarkedStation extends StationMarks {
  readonly places: MarkPlaces;
}

function isMarked(station: StationMarks): station is MarkedStation {
  return station.places !== null;
}

/** A figure of the times of flagged values, with a lane for each station that has some; null if there are none. */
export function marksPicture(
  result: readonly StationMarks[],
  stations: readonly PlottedStation[],
  range: TimeRange,
): Picture | null {
  const marked = result.filter(isMarked);
  if (marked.length === 0) return null;
  const shown = marked.slice(0, MAX_LANES);
  const nameOf = (id: string): string => stations.find((s) => s.id === id)?.name ?? id;
  const more =
    marked.length > shown.length ? ` The first ${shown.length} of ${marked.length} stations with flags.` : "";
  return {
    id: "marks",
    title: "Flagged values",
    note: `Flagged values, from the top of each row: range, σ, step and stuck. Nothing is deleted.${more}`,
    summary: marked.map((s) => `${nameOf(s.stationId)}: ${count(s.marked)} of ${count(s.n)} values`).join("; "),
    draw(width, height, theme) {
      const { box, shapes } = axes({ width, height, x: { time: range }, y: null, theme });
      const laneHeight = box.height / shown.length;
      const ink = theme.colour("--text-2");
      const lanes = shown.flatMap((station, lane): VectorShape[] => {
        const top = box.top + lane * laneHeight;
        const colour = colourOf(stations, station.stationId, theme);
        const strip = { top: top + NAME_PX, height: Math.max(MARKS.length, laneHeight - NAME_PX - 4) };
        return [
          line([box.left, top + laneHeight, box.left + box.width, top + laneHeight], theme.colour("--line")),
          text([box.left + 4, top + 12], nameOf(station.stationId), ink),
          ...ticks(station, strip, plotWidth(width), colour),
        ];
      });
      return [...shapes, clippedTo(box, lanes)];
    },
    readings: {
      range,
      at: (timeMs, withinMs) => ({
        timeMs,
        values: stations.flatMap((station) => {
          const places = shown.find((s) => s.stationId === station.id)?.places;
          return places ? [{ ...station, text: textAt(places, timeMs, withinMs, range) }] : [];
        }),
      }),
    },
  };
}

/** Counts of flagged values by kind for each part of the range that has some. */
export function marksTable(result: readonly StationMarks[], { startMs, endMs }: TimeRange): SheetTable[] {
  const marked = result.filter(isMarked);
  if (marked.length === 0) return [];
  return [
    {
      id: "marks",
      label: "Flagged values as drawn",
      head: ["station_id", "from", "to", ...MARKS.map((mark) => `marked_${mark}`)],
      rows: () =>
        marked.flatMap(({ stationId, places }) =>
          Array.from({ length: MARK_COLUMNS }, (_, c): CsvCell[] => [
            stationId,
            formatUtc(Math.round(startMs + (c * (endMs - startMs)) / MARK_COLUMNS)),
            formatUtc(Math.round(startMs + ((c + 1) * (endMs - startMs)) / MARK_COLUMNS)),
            ...MARKS.map((mark) => places[mark][c]!),
          ]).filter((row) => row.slice(3).some((n) => n !== 0)),
        ),
    },
  ];
}

function ticks(
  { places }: MarkedStation,
  strip: { readonly top: number; readonly height: number },
  width: number,
  colour: string,
): VectorShape[] {
  const rowHeight = strip.height / MARKS.length;
  const perColumn = width / MARK_COLUMNS;
  return MARKS.flatMap((mark, row) =>
    columnRuns(places[mark]).map(([from, to]) =>
      rect(
        {
          x: LEFT + from * perColumn,
          y: strip.top + row * rowHeight,
          width: Math.max(MIN_PX, (to - from) * perColumn),
          height: Math.max(1, rowHeight - 1),
        },
        colour,
      ),
    ),
  );
}

/** Returns runs of neighbouring non-empty columns as half-open pairs. */
function columnRuns(counts: Uint32Array): [number, number][] {
  const runs: [number, number][] = [];
  counts.forEach((n, c) => {
    if (n === 0) return;
    const last = runs.at(-1);
    if (last && last[1] === c) last[1] = c + 1;
    else runs.push([c, c + 1]);
  });
  return runs;
}

/** Describes the flags at a time, or the nearest flags within `withinMs`. */
function textAt(places: MarkPlaces, timeMs: number, withinMs: number, { startMs, endMs }: TimeRange): string {
  const columnMs = (endMs - startMs) / MARK_COLUMNS;
  const here = Math.min(MARK_COLUMNS - 1, Math.floor((timeMs - startMs) / columnMs));
  for (let away = 0; away * columnMs <= withinMs; away++) {
    for (const c of [here - away, here + away]) {
      const found = MARKS.flatMap((mark) => {
        const n = places[mark][c] ?? 0;
        return n > 0 ? [`${count(n)} ${MARK_WORDS[mark]}`] : [];
      });
      if (found.length > 0) return found.join(", ");
    }
  }
  return "none";
}
