import type { FileSeries, OpenedFile } from "#shared/file/opened.ts";
import { type KnownStation, stationLabel } from "#shared/service/catalogue.ts";

/** A table of ours may have no names in it: a station that it tells by its id is called as the catalogue in sight calls that id. */
export function withNames(
  files: readonly OpenedFile[],
  byId: ReadonlyMap<string, KnownStation>,
): readonly OpenedFile[] {
  const named = (series: FileSeries): FileSeries => {
    const { stationId, label } = series;
    const station = stationId ? byId.get(stationId) : undefined;
    if (!station || !label.startsWith(station.id)) return series;
    return { ...series, label: stationLabel(station) + label.slice(station.id.length) };
  };
  return files.map((file) => ({ ...file, series: file.series.map(named) }));
}
