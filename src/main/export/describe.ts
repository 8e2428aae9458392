import { type Sidecar, sidecarText } from "#formats/sidecar.ts";
import { withImpliedVariables } from "#shared/service/variables.ts";
import { durationMs } from "#shared/time/range.ts";
import { totalMs } from "#shared/time/rangeset.ts";
import type { CacheReader } from "../store/types.ts";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import { judgeCached } from "../sync/judge.ts";
import { PROGRAM } from "../program.ts";
import { fileStation } from "./source.ts";
import { describeSeries } from "./describeSeries.ts";
import type { ExportRequest } from "#shared/file/export.ts";

/** What an export says of itself, in its sidecar and in its files. */
export interface ExportDescription {
  readonly serviceOrigin: string;
  /** Networks of the stations, by name: who gathered what is in the files. */
  readonly institution: string;
  readonly createdAtMs: number;
  readonly coverageSentence: string;
  readonly stationIdsWithoutValues: readonly string[];
  /** The sidecar's text, once the names of the files are known. */
  text(fileNames: readonly string[], howToOpen: NonNullable<Sidecar["howToOpen"]>): string;
}

/** Networks that are named; of further ones there is a number. */
const MOST_NETWORKS = 5;

export function describeExport(
  cache: CacheReader,
  request: ExportRequest,
  stations: readonly CatalogueStation[],
  serviceOrigin: string,
): ExportDescription {
  const createdAtMs = Date.now();
  const variables = withImpliedVariables(request.variables);
  const described = stations.map((station) => {
    const series = variables.map((v) => describeSeries(cache, request, station, v));
    const { id, displayName, latitudeDeg, longitudeDeg, height, heightReference } = fileStation(
      station,
      request.heightReference,
    );
    return { id, displayName, latitudeDeg, longitudeDeg, height, heightReference, series };
  });
  const hasValues = (s: (typeof described)[number]): boolean => s.series.some((v) => v.values > 0);
  const all = described.flatMap((s) => s.series);
  const share = (ms: number): string =>
    `${((100 * ms) / Math.max(1, all.length * durationMs(request.range))).toFixed(1)} %`;
  const settled = share(all.reduce((sum, s) => sum + totalMs(s.final), 0));
  const unsettled = share(all.reduce((sum, s) => sum + totalMs(s.provisional), 0));
  const withValues = described.filter(hasValues).length;
  const native = request.resampled ? { ...request, intervalSeconds: null } : request;
  const sidecar: Omit<Sidecar, "files"> = {
    createdAtMs,
    versions: { program: PROGRAM },
    serviceOrigin,
    query: {
      stationIds: request.stationIds,
      variables,
      range: request.range,
      intervalSeconds: request.intervalSeconds,
      raw: request.raw,
    },
    stations: described.map((s) => ({ ...s, rows: Math.max(0, ...s.series.map((v) => v.values)) })),
    verdicts: judgeCached(cache, native),
  };
  const codes = new Set(stations.map((s) => s.networkCode));
  const networks = cache.catalogue().networks.filter((n) => codes.has(n.code));
  const named = networks.slice(0, MOST_NETWORKS).map((n) => n.name || n.code);
  const more = networks.length > MOST_NETWORKS ? [`${networks.length - MOST_NETWORKS} more networks`] : [];
  return {
    serviceOrigin,
    institution: [...named, ...more].join("; ") || "unknown",
    createdAtMs,
    coverageSentence: `${settled} of the range is final, ${unsettled} may still change; ${withValues} of ${stations.length} stations have values.`,
    stationIdsWithoutValues: described.filter((s) => !hasValues(s)).map((s) => s.id),
    text: (files, howToOpen) => sidecarText({ files, ...sidecar, howToOpen }),
  };
}
