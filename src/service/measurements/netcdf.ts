import { createReadStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FormatError } from "#formats/error.ts";
import { writeTimeSeriesNetcdf } from "#formats/netcdf/index.ts";
import type { FileStation, SeriesFileSource } from "#formats/source.ts";
import { defined } from "#shared/defined.ts";
import type { Column, SeriesRows } from "#shared/series/rows.ts";
import { MEDIA_NETCDF, type TimeSeriesQuery } from "#shared/service/query.ts";
import { type Variable, variableKind } from "#shared/service/variables.ts";
import { formatUtc } from "#shared/time/utc.ts";
import { obfuscatedPosition } from "../catalogue/wire.ts";
import type { Exchange } from "../exchange.ts";
import { refusal, type Refusal } from "../http/refusal.ts";
import { openBody } from "../http/send.ts";
import { ClientGone } from "../http/body.ts";
import type { WorldStation } from "../world/types.ts";
import { type AdmittedQuery, Pace, pastDeadline, type RowBlock } from "./rows.ts";
import { dueEveryMs } from "./select.ts";
import { stationRows } from "./series.ts";

/** The response to a query as the source of a file writer, which reads it station by station, possibly several times. */
function fileSource(exchange: Exchange, admitted: AdmittedQuery): SeriesFileSource {
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
      service: `http://${socket.localAddress}:${socket.localPort}`,
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

/**
 * Minimum compressed size of a row in a file. Measured: numbers with few decimals take one to three bytes, and the texts
 * of some thirty satellites more than a hundred per variable.
 */
const MIN_ROW_BYTES = { numbers: 1, satellites: 40 } as const;

/** Single epochs are lost within the parts that were observed. */
const ARRIVING = 0.99;

/**
 * Whether the file of a query is certain to exceed a size, before any of it is computed. Counts existing rows: none in
 * outages, in the future, before a station's first data or after its last, none that the filter rejects, and one in five
 * minutes for pwv alone. Uncertain cases are decided by the size of the file itself.
 */
async function certainlyExceeds(exchange: Exchange, admitted: AdmittedQuery, bytes: number): Promise<boolean> {
  const { variables } = admitted.query;
  const satellites = variables.filter((name) => variableKind(name) === "satellite").length;
  const rowBytes = MIN_ROW_BYTES.satellites * satellites + (satellites < variables.length ? MIN_ROW_BYTES.numbers : 0);
  const mostRows = bytes / rowBytes / ARRIVING;
  // Points by section 8 are never fewer than rows, and need no computation.
  if (admitted.points <= mostRows) return false;
  const pace = new Pace(exchange.signal);
  let rows = 0;
  for (const station of admitted.stations) {
    rows += rowsObserved(exchange, admitted, station);
    if (rows > mostRows) return true;
    await pace.yieldIfDue();
  }
  return false;
}

/** Rows of one station, ignoring lost epochs; of means only those whose whole interval was observed. */
function rowsObserved(exchange: Exchange, { query }: AdmittedQuery, station: WorldStation): number {
  const { startMs, endMs, intervalSeconds, raw } = query;
  const epochMs = Math.max(station.nativeSeconds * 1000, dueEveryMs(query.variables));
  let rows = 0;
  for (const part of exchange.world.observed(station, { startMs, endMs, nowMs: exchange.nowMs })) {
    if (part.quality !== "none" && !raw) continue;
    const epochs = Math.ceil(part.endMs / epochMs) - Math.ceil(part.startMs / epochMs);
    const intervals =
      intervalSeconds === null ? Infinity : Math.floor((part.endMs - part.startMs) / intervalSeconds / 1000);
    rows += Math.min(epochs, intervals);
  }
  return rows;
}

/** Maximum delay of a Node timer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Responds with a NetCDF-4 file by CF-1.8, from the same writer as the exports. The file is created in a folder of its own,
 * sent, and deleted. Row faults affect JSON only: a file always has its rows in order.
 */
export async function answerNetcdf(exchange: Exchange, admitted: AdmittedQuery): Promise<Refusal | null> {
  const { settings, organization, signal, record } = exchange;
  if (await certainlyExceeds(exchange, admitted, settings.netcdfBytes)) return tooManyBytes(settings.netcdfBytes);
  const deadline = AbortSignal.timeout(Math.min(organization.deadlineMs, MAX_TIMER_MS));
  const folder = await mkdtemp(join(tmpdir(), "zenith-service-"));
  try {
    const path = join(folder, "measurements.nc");
    const written = await writeTimeSeriesNetcdf(path, fileSource(exchange, admitted), {
      signal: AbortSignal.any([signal, deadline]),
    });
    if (signal.aborted) throw new ClientGone();
    if (deadline.aborted) return pastDeadline(organization.deadlineMs);
    if (!written.ok) return refusedFile(written.error, settings.netcdfBytes);
    if (written.value.bytes > settings.netcdfBytes) return tooManyBytes(settings.netcdfBytes);
    record.rows = written.value.rows;
    await sendFile(exchange, path, written.value.bytes);
    return null;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function sendFile(exchange: Exchange, path: string, bytes: number): Promise<void> {
  const body = openBody(exchange, MEDIA_NETCDF, bytes);
  for await (const chunk of createReadStream(path) as AsyncIterable<Uint8Array>) await body.write(chunk);
  body.end();
}

/** 413 of a NetCDF result (section 8). */
function tooManyBytes(limit: number): Refusal {
  return refusal(413, `The NetCDF result is larger than ${limit / 1_000_000} MB.`);
}

function refusedFile(error: FormatError, limit: number): Refusal {
  if (error.kind === "tooLarge") return tooManyBytes(limit);
  if (error.kind === "noSpace") return refusal(503, "The service has no room for a NetCDF result now.");
  throw new Error(`${error.message} ${error.cause ?? ""}`);
}
