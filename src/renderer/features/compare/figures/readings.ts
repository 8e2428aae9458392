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

/** What can be read off lines: the row under the cursor, or the mean of the column of time that is drawn there. */
export function readingsOf(lines: Lines, { unit, write }: Writing): Readings {
  const tracks = tracksOf(lines);
  const byId = new Map(tracks.map(({ id, track }) => [id, track]));
  const stations = lines.stations.filter((s) => byId.has(s.id));
  return {
    range: lines.range,
    at(momentMs, withinMs) {
      const all = tracks.map(({ track }) => track);
      const meantMs = snapToRow(all, momentMs, withinMs);
      const values = stations.map((station) => {
        const track = defined(byId.get(station.id));
        const read = readTrack(track, meantMs);
        return { ...station, text: read ? textOf(read, sigmaAt(track, read), unit, write) : "–" };
      });
      return { momentMs: meantMs, values };
    },
  };
}

function textOf(read: ReadValue, sigma: number, unit: string, write: Writing["write"]): string {
  const around = Number.isNaN(sigma) ? "" : ` ± ${write(sigma).replace(/^\+/, "")}`;
  if (read.kind === "row") return `${write(read.value)}${around} ${unit}`;
  const spread = read.count > 1 ? ` (mean of ${count(read.count)}, ${write(read.min)} to ${write(read.max)})` : "";
  return `${write(read.mean)}${around} ${unit}${spread}`;
}

/** Columns of time have a mean deviation, which is drawn as the band. */
function sigmaAt(track: Track, read: ReadValue): number {
  if (read.kind === "row") return read.sigma;
  if (track.kind === "rows") return Number.NaN;
  const { startMs, endMs } = track.range;
  const columnMs = (endMs - startMs) / track.data.count.length;
  return track.sigma?.[Math.round((read.range.startMs - startMs) / columnMs)] ?? Number.NaN;
}
