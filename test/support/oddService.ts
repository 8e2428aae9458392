import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Variable } from "#shared/service/variables.ts";
import { HOUR_MS } from "#shared/time/utc.ts";

/** An HTTP service with computed values; tests can change its responses before they are sent. */

export const STEP_MS = 30_000;
export interface WireStation {
  readonly id: string;
  readonly display_name: string;
  readonly mountpoint: string;
  /** The newest measurement in the catalogue; by default, of now. */
  readonly data_last_updated?: string | undefined;
}

export const STATIONS: readonly WireStation[] = [1, 2, 3].map((n) => ({
  id: `3f2b8a3e-1f0a-4c55-9d1b-00000000000${n}`,
  display_name: `Station ${n}`,
  mountpoint: `MOUNT${n}`,
}));
/** The stations, if the catalogue does not say when this one sent its newest measurement. */
export function withoutNewest(id: string): readonly WireStation[] {
  return STATIONS.map((station) => (station.id === id ? { ...station, data_last_updated: undefined } : station));
}
export const FOREIGN_ID = "b1a9c6d2-7777-4c55-9d1b-0000000000ff";

export type WireRow = Record<string, unknown>;
export interface WireQuery {
  readonly startMs: number;
  readonly endMs: number;
  readonly stationIds: readonly string[];
  readonly variables: readonly Variable[];
  readonly intervalSeconds: number | null;
  readonly raw: boolean;
}
/** Replaces the response `{data: rows, count}`: a body, optionally with a status, or other rows. */
export type Twisted =
  | { readonly status?: number; readonly headers?: Record<string, string>; readonly body: string }
  | WireRow[];
export type Twist = (rows: WireRow[], query: WireQuery, nth: number) => Twisted;

export interface OddService {
  readonly url: string;
  /** The received queries; tests may empty it. */
  readonly queries: WireQuery[];
  twist: Twist;
  /** The stations of the catalogue. */
  stations: readonly WireStation[];
  /** Of all stations, according to the catalogue. */
  resolutionSeconds: number;
  /** Fields of all stations that replace those of the catalogue. */
  stationFields: Readonly<Record<string, unknown>>;
  /** Returns the body of a response to a nearest query. */
  nearest: (stationIds: readonly string[], timeMs: number) => object;
  /** Added to the service's clock. */
  offsetMs: number;
  /** Whether responses have a `Date` header. */
  hasDate: boolean;
  close(): Promise<void>;
}

export const asItIs: Twist = (rows) => rows;

/** The value of a variable of a station at a time. */
export function valueOf(stationId: string, variable: Variable, timeMs: number): number {
  const station = STATIONS.findIndex((s) => s.id === stationId) + 1;
  return station * 1_000 + (variable === "pwv" ? 500 : 0) + ((timeMs / STEP_MS) % 89);
}

function rowsOf({ startMs, endMs, stationIds, variables, intervalSeconds }: WireQuery): WireRow[] {
  const step = intervalSeconds === null ? STEP_MS : intervalSeconds * 1_000;
  const rows: WireRow[] = [];
  for (let timeMs = Math.ceil(startMs / step) * step; timeMs < endMs; timeMs += step) {
    for (const id of stationIds) {
      const values = Object.fromEntries(variables.map((v) => [v, valueOf(id, v, timeMs)]));
      const { display_name } = STATIONS.find((s) => s.id === id)!;
      rows.push({ timestamp: new Date(timeMs).toISOString(), station_id: id, display_name, ...values });
    }
  }
  return rows;
}

function catalogue(nowMs: number, { stations: listed, resolutionSeconds, stationFields }: OddService): object {
  const stations = listed.map((station) => ({
    source_type: "cors",
    historic_data_from: "2026-01-01T00:00:00.000Z",
    data_last_updated: new Date(nowMs).toISOString(),
    resolution_seconds: resolutionSeconds,
    height_vertical_reference: "WGS84_ELLIPSOID",
    network_id: "n",
    ...station,
    ...stationFields,
  }));
  const pagination = { page: 1, page_size: 200, total_items: stations.length, total_pages: 1 };
  return { stations, pagination };
}

export async function startOddService(twist: Twist = asItIs): Promise<OddService> {
  const queries: WireQuery[] = [];
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let text = "";
    for await (const piece of request) text += String(piece);
    const nowMs = Date.now() + service.offsetMs;
    response.sendDate = false;
    if (service.hasDate) response.setHeader("Date", new Date(nowMs).toUTCString());
    response.setHeader("Content-Type", "application/json");
    const path = new URL(request.url!, "http://x").pathname;
    if (path.endsWith("/stations")) return void response.end(JSON.stringify(catalogue(nowMs, service)));
    if (path.endsWith("/networks"))
      return void response.end(
        '{"networks":[],"pagination":{"page":1,"page_size":100,"total_items":0,"total_pages":0}}',
      );
    if (path.endsWith("/nearest")) {
      const parameters = new URL(request.url!, "http://x").searchParams;
      const ids = parameters.get("station_ids")!;
      const time = parameters.get("time");
      const stationIds = ids === "all" ? STATIONS.map((s) => s.id) : ids.split(",");
      const body = service.nearest(stationIds, time === null ? nowMs : Date.parse(time));
      return void response.end(JSON.stringify(body));
    }
    const body = JSON.parse(text) as Record<string, never>;
    const query: WireQuery = {
      startMs: Date.parse(body["start_time"]!),
      endMs: Date.parse(body["end_time"]!),
      stationIds: body["station_ids"]!,
      variables: body["data_vars"]!,
      intervalSeconds: body["interval_seconds"] ?? null,
      raw: body["raw"] ?? false,
    };
    queries.push(query);
    const twisted = service.twist(rowsOf(query), query, queries.length);
    if (!Array.isArray(twisted))
      return void response.writeHead(twisted.status ?? 200, twisted.headers).end(twisted.body);
    response.end(JSON.stringify({ data: twisted, count: twisted.length }));
  };
  const server = createServer((request, response) => void serve(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const service: OddService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    queries,
    twist,
    stations: STATIONS,
    resolutionSeconds: 30,
    stationFields: {},
    nearest: (stationIds, timeMs) => ({
      time: new Date(timeMs).toISOString(),
      data: [],
      count: 0,
      missing_station_ids: stationIds,
    }),
    offsetMs: 0,
    hasDate: true,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return service;
}

/** Some hours in the past. */
export const RANGE = { startMs: Date.UTC(2026, 8, 1), endMs: Date.UTC(2026, 8, 1) + 4 * HOUR_MS };
