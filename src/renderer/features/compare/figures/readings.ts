import { defined } from "#shared/defined.ts";
import { readTrack, snapToRow, type ReadValue } from "../../../plot/readout.ts";
import type { Track } from "#shared/plot/track.ts";
import { count } from "../../../ui/text.ts";
import { type Lines, tracksOf } from "./lines.ts";
import type { Readings } from "./picture.ts";

interface Writing {
  readonly unit: string;
  readonly write: (value: number) => string;
}

/** Reads the values of lines under the cursor: the row, or the mean of the drawn column of time. */
export function readingsOf(lines: Lines, { unit, write }: Writing): Readings {
  const tracks = tracksOf(lines);
  const byId = new Map(tracks.map(({ id, track }) => [id, track]));
  const stations = lines.stations.filter((s) => byId.has(s.id));
  return {
    range: lines.range,
    at(timeMs, withinMs) {
      const all = tracks.map(({ track }) => track);
      const snappedMs = snapToRow(all, timeMs, withinMs);
      const values = stations.map((station) => {
        const track = defined(byId.get(station.id));
        const read = readTrack(track, snappedMs);
        return { ...station, text: read ? textOf(read, sigmaAt(track, read), unit, write) : "–" };
      });
      return { timeMs: snappedMs, values };
    },
  };
}

function textOf(read: ReadValue, sigma: number, unit: string, write: Writing["write"]): string {
  const around = Number.isNaN(sigma) ? "" : ` ± ${write(sigma).replace(/^\+/, "")}`;
  if (read.kind === "row") return `${write(read.value)}${around} ${unit}`;
  const spread = read.count > 1 ? ` (mean of ${count(read.count)}, ${write(read.min)} to ${write(read.max)})` : "";
  return `${write(read.mean)}${around} ${unit}${spread}`;
}

/** Returns the standard uncertainty: of a row, or the mean of a column of time; NaN if unknown. */
function sigmaAt(track: Track, read: ReadValue): number {
  if (read.kind === "row") return read.sigma;
  if (track.kind === "rows") return Number.NaN;
  const { startMs, endMs } = track.range;
  const columnMs = (endMs - startMs) / track.data.count.length;
  return track.sigma?.[Math.round((read.range.startMs - startMs) / columnMs)] ?? Number.NaN;
}
