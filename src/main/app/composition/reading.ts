import type { Catalogue } from "#shared/service/catalogue.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import type { SeriesMode, SeriesRows } from "#shared/series/rows.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { AppFault } from "#shared/fault.ts";
import type { ExportRequest } from "#shared/file/export.ts";
import { type ExportOptions, exportSeries } from "../../export/exportSeries.ts";
import { readBlocks } from "../../export/source.ts";
import { faultOf, serviceFault } from "../../fault.ts";
import { currentCatalogue, MAX_CATALOGUE_AGE_MS, refreshCatalogue } from "../../sync/catalogue.ts";
import type { OpenConnection } from "../connections/connections.ts";
import { dataSource } from "../exports/dataSource.ts";
import { type DrawFigure, writeFigure } from "../exports/figure.ts";
import { createPace } from "../pace.ts";
import { knownFailures } from "../reading/failures.ts";
import { type GapsQuery, readAllGaps } from "../reading/gaps.ts";
import { storedMode } from "../reading/selection.ts";
import { type MissingQuery, readMissing } from "../reading/snapshot.ts";
import { nearest, station } from "../stations/request.ts";
import type { Base } from "./base.ts";

type RowsOf = Pick<ExportRequest, "intervalSeconds" | "raw" | "range" | "resampled" | "zone">;
type GapsOf = GapsQuery & { readonly stationIds: readonly string[]; readonly variables: readonly Variable[] };

/** What reads a connection: its service, and its cache. */
export function createReading({ users, writeGuarded }: Base) {
  const draw: DrawFigure = (connection, request, options) =>
    writeGuarded(request.path, () => writeFigure(connection, users, request, options));
  return {
    /** The cached catalogue while it is recent, else the one of the service; `fresh` always requests it. */
    async catalogue(
      { session, cache }: OpenConnection,
      fresh: boolean,
      signal: AbortSignal,
      patienceMs?: number,
    ): Promise<Result<Catalogue, AppFault>> {
      if (fresh && cache.refusal !== null) return failure(faultOf(cache.refusal));
      const answer = fresh
        ? await refreshCatalogue(session, signal, patienceMs)
        : await currentCatalogue(session, MAX_CATALOGUE_AGE_MS, signal, patienceMs);
      return answer.ok ? success(answer.value) : failure(serviceFault(answer.error));
    },
    /** Requests one station from the service. Faults: usage if the service does not know it, key, network, service. */
    station,
    nearest,
    /** Why requests of stations failed, as the journal of a connection knows it. */
    failures: (connectionId: string, mode: SeriesMode) => knownFailures(users, connectionId, mode),
    /** Why stations have no value of a variable around a moment, in their order. */
    missing: ({ cache, record }: OpenConnection, query: MissingQuery, signal: AbortSignal) =>
      readMissing(cache, query, knownFailures(users, record.id, storedMode(query.mode)), createPace(signal)),
    /**
     * Rows from the cache, averaged from native ones if the selection is `resampled`, with a zone over its days; none for
     * an unknown station.
     */
    rows(
      { cache }: OpenConnection,
      selection: RowsOf,
      stationId: string,
      variables: readonly Variable[],
    ): Iterable<SeriesRows> {
      const known = cache.station(stationId);
      return known ? readBlocks(cache, { ...selection, variables }, known) : [];
    },
    /** Causes of the gaps in the cache, station by station and variable by variable. */
    gaps: ({ cache, record, session }: OpenConnection, query: GapsOf, signal: AbortSignal) =>
      readAllGaps({ cache, users, connectionId: record.id, nowMs: session.time().latestMs }, query, createPace(signal)),
    export: (connection: OpenConnection, request: ExportRequest, options: ExportOptions) =>
      writeGuarded(request.path, () => exportSeries(connection.cache, dataSource(connection), request, options)),
    figure: draw,
  };
}
