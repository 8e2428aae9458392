import { defined } from "#shared/defined.ts";
import type { FileStation, SeriesFileSource } from "#formats/source.ts";
import type { Column, SeriesRows } from "#shared/series/rows.ts";
import type { TimeSeriesQuery } from "#shared/service/query.ts";
import type { Variable } from "#shared/service/variables.ts";
import { formatUtc } from "#shared/time/utc.ts";
import { obfuscatedPosition } from "../catalogue/position.ts";
import type { Exchange } from "../exchange.ts";
import type { WorldStation } from "../world/types.ts";
import type { AdmittedQuery, RowBlock } from "./rows.ts";
import { stationRows } from "./series.ts";

/** The response to a query as the source of a file writer, which reads it station by station, possibly several times. */
export function fileSource(exchange: Exchange, admitted: AdmittedQuery): SeriesFileSource {
  const { query, stations } = admitted;
  const { world, settings, nowMs, organization, request } = exchange;
  const rows = { world, query, nowMs, decimals: settings.decimals, stations: 1 };
  const { socket } = request;
  return {
    stations: stations.map((station) => fileStation(station, organization.hasLocation)),
    variables: query.variables,
    range: { startMs: query.startMs, endMs: query.endMs },
    intervalSeconds: query.intervalSeconds,
    raw: query.raw,
    provenance: {
      title: "Simulated GNSS measurements",
      summary: `Simulated measurements of ${stations.length} stations by the Zenith Desk reference service.`,
      institution: "Zenith Desk reference service",
      serviceOrigin: `http://${socket.localAddress}:${socket.localPort}`,
      isSimulated: true,
      program: "Zenith Desk reference service",
      createdAtMs: nowMs,
      query: JSON.stringify(queryWire(query)),
      coverage: "Everything that the service has in the range.",
    },
    *blocks(index) {
      for (const block of stationRows(rows, defined(stations[index]))) yield seriesRows(block);
    },
  };
}

function fileStation(station: WorldStation, hasLocation: boolean): FileStation {
  const position = hasLocation ? obfuscatedPosition(station) : null;
  return {
    id: station.id,
    displayName: station.displayName,
    networkCode: station.network.code,
    countryCode: station.countryCode,
    locationAlias: station.locationAlias,
    sourceType: station.sourceType,
    latitudeDeg: position?.latitudeDeg ?? null,
    longitudeDeg: position?.longitudeDeg ?? null,
    height: station.ellipsoidalHeight,
    heightReference: "WGS84_ELLIPSOID",
  };
}

/** Copied, because the block is reused. */
function seriesRows(block: RowBlock): SeriesRows {
  const columns: Partial<Record<Variable, Column>> = {};
  for (const column of block.columns) {
    columns[column.variable] =
      column.kind === "scalar"
        ? { kind: "scalar", values: column.values.slice(0, block.count), present: null }
        : { kind: "text", values: column.values.slice(0, block.count), present: null };
  }
  return { timesMs: block.timesMs.slice(0, block.count), columns };
}

function queryWire(query: TimeSeriesQuery): object {
  return {
    start_time: formatUtc(query.startMs),
    end_time: formatUtc(query.endMs),
    station_ids: query.stationIds,
    data_vars: query.variables,
    ...(query.intervalSeconds === null ? {} : { interval_seconds: query.intervalSeconds }),
    raw: query.raw,
  };
}
