import { usageFault } from "#shared/fault.ts";
import { type Catalogue, type KnownStation, knownStations } from "#shared/service/catalogue.ts";
import { failure } from "#shared/service/error.ts";

/** The stations of a selection, each once. */
interface SplitStations {
  /** In the catalogue, or formerly so with cached data; in the order of the selection. */
  readonly stations: readonly KnownStation[];
  /** All others: the service removed them, and nothing of them is cached. */
  readonly unknownIds: readonly string[];
}

/**
 * Separates stations that the catalogue no longer has. Saved exports and schedules keep their stations for years, and
 * one that the service removes must not prevent the files of the others.
 */
export function splitStations(catalogue: Catalogue, stationIds: readonly string[]): SplitStations {
  const known = new Map(knownStations(catalogue).map((s) => [s.id, s]));
  const distinct = [...new Set(stationIds)];
  return {
    stations: distinct.flatMap((id) => known.get(id) ?? []),
    unknownIds: distinct.filter((id) => !known.has(id)),
  };
}

/** The fault of a selection of which no station is known. */
export const NO_KNOWN_STATION = failure(
  usageFault("None of the stations is in the catalogue of this connection, so no file was written."),
);
