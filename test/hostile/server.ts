import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { isObserved, START_MS, STATIONS, STEP_MS, valueOf, type Variable } from "./meant.ts";

export type Row = Record<string, unknown>;

/** A received time series request. */
export interface Asked {
  readonly stations: readonly number[];
  readonly variables: readonly Variable[];
  readonly startMs: number;
  readonly endMs: number;
  /** Data points by section 8 of the service specification: epochs summed over the stations. */
  readonly points: number;
  /** 1 for the first time series request of the scenario. */
  readonly nth: number;
  /** Milliseconds since the first time series request. */
  readonly sinceMs: number;
  /** Whether it contains a station and day that was not requested before. */
  readonly isNew: boolean;
  /** The rows of the correct response. */
  rows(): Row[];
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Sends the response instead of the server; status and headers are set, but not sent. */
  readonly send?: (response: ServerResponse, body: Uint8Array) => void;
}

/** One kind of hostile behaviour; without a method, the service behaves correctly. */
export interface Behaviour {
  /** The response to a time series request; undefined for the correct one. */
  series?(asked: Asked): Reply | undefined;
  /** The response to a request of the catalogue, given the correct page; undefined for the correct one. */
  catalogue?(path: string, page: Record<string, unknown>, query: URLSearchParams): Reply | undefined;
  /** The Date header: milliseconds, a literal text, or null to omit it. */
  date?(nth: number): number | string | null;
  /** Whether time series requests are reset. */
  isDown?(sinceMs: number): boolean;
}

export interface HostileService {
  readonly url: string;
  /** Received requests: for time series, others, and to another host, which receive 404. */
  readonly counts: { series: number; others: number; elsewhere: number };
  /** Replaces the behaviour. */
  become(behaviour: Behaviour): void;
  close(): Promise<void>;
}

export const json = (value: unknown, more: Reply = {}): Reply => ({ ...more, body: JSON.stringify(value) });
export const answerOf = (rows: readonly Row[]): Reply => json({ data: rows, count: rows.length });

export async function startHostile(first: Behaviour): Promise<HostileService> {
  let behaviour = first;
  const counts = { series: 0, others: 0, elsewhere: 0 };
  const asked = new Set<string>();
  const sockets = new Set<Socket>();
  let firstSeriesAt: number | null = null;
  const sinceMs = (): number => (firstSeriesAt === null ? 0 : performance.now() - firstSeriesAt);

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.headers.host?.startsWith("127.0.0.1") !== true) {
      counts.elsewhere++;
      return finish(response, { status: 404 });
    }
    const [path = "/", search = ""] = (request.url ?? "/").split("?");
    if (request.headers["x-api-key"] !== "hostile-key")
      return finish(response, { status: 401, body: '{"error":"key"}' });
    if (path.endsWith("/measurements/query")) {
      let text = "";
      for await (const piece of request.setEncoding("utf8") as AsyncIterable<string>) text += piece;
      counts.series++;
      firstSeriesAt ??= performance.now();
      if (behaviour.isDown?.(sinceMs())) return void request.socket.resetAndDestroy();
      const query = readAsked(JSON.parse(text) as Row, counts.series, sinceMs(), asked);
      if (query.stations.includes(-1)) return finish(response, { status: 404, body: '{"message":"no such station"}' });
      return finish(response, behaviour.series?.(query) ?? answerOf(query.rows()), behaviour, counts.series);
    }
    counts.others++;
    const query = new URLSearchParams(search);
    const page = pageOf(path, query);
    if (page === null) return finish(response, { status: 404, body: '{"message":"no","code":"NO","details":{}}' });
    return finish(response, behaviour.catalogue?.(path, page, query) ?? json(page), behaviour, 0);
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
  });
  await listen(server);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    become: (next) => void (behaviour = next),
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => void server.close(() => resolve()));
    },
  };
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve) => void server.listen(0, "127.0.0.1", resolve));
}

function finish(response: ServerResponse, reply: Reply, behaviour: Behaviour = {}, nth = 0): void {
  const body = Buffer.from(reply.body ?? "");
  response.statusCode = reply.status ?? 200;
  response.sendDate = false;
  const date = behaviour.date === undefined ? Date.now() : behaviour.date(nth);
  if (date !== null) response.setHeader("Date", typeof date === "number" ? new Date(date).toUTCString() : date);
  response.setHeader("Content-Type", "application/json");
  for (const [name, value] of Object.entries(reply.headers ?? {})) response.setHeader(name, value);
  if (reply.send) return reply.send(response, body);
  if (response.statusCode !== 204) response.setHeader("Content-Length", body.length);
  response.end(response.statusCode === 204 ? undefined : body);
}

function readAsked(body: Row, nth: number, sinceMs: number, before: Set<string>): Asked {
  const stations = (body["station_ids"] as string[]).map((id) =>
    STATIONS.findIndex((s) => s.id === id.toLowerCase().replace(/[{}]/g, "")),
  );
  const variables = body["data_vars"] as Variable[];
  const startMs = Date.parse(body["start_time"] as string);
  const endMs = Date.parse(body["end_time"] as string);
  const days = stations.flatMap((station) => daysOf(startMs, endMs).map((day) => `${station} ${day}`));
  const isNew = days.some((day) => !before.has(day));
  for (const day of days) before.add(day);
  return {
    stations,
    variables,
    startMs,
    endMs,
    points: (stations.length * (endMs - startMs)) / STEP_MS,
    nth,
    sinceMs,
    isNew,
    rows: () => {
      const rows = rowsOf({ stations, variables, startMs, endMs });
      const seconds = body["interval_seconds"] as number | undefined;
      return seconds === undefined ? rows : meansOf(rows, variables, seconds * 1_000);
    },
  };
}

function daysOf(startMs: number, endMs: number): number[] {
  const days: number[] = [];
  for (let day = Math.floor(startMs / 86_400_000); day * 86_400_000 < endMs; day++) days.push(day);
  return days;
}

/** The correct rows in order of time. A row requires a value of at least one requested variable. */
export function rowsOf({
  stations,
  variables,
  startMs,
  endMs,
}: Pick<Asked, "stations" | "variables" | "startMs" | "endMs">): Row[] {
  const rows: Row[] = [];
  for (let timeMs = Math.ceil(startMs / STEP_MS) * STEP_MS; timeMs < endMs; timeMs += STEP_MS) {
    for (const station of stations) {
      if (!isObserved(station, timeMs)) continue;
      const row: Row = {
        timestamp: new Date(timeMs).toISOString(),
        station_id: STATIONS[station]!.id,
        display_name: STATIONS[station]!.name,
      };
      for (const name of variables) row[name] = valueOf(station, name, timeMs);
      if (variables.some((name) => row[name] !== null)) rows.push(row);
    }
  }
  return rows;
}

/** One row for each station and interval with observations. */
function meansOf(rows: readonly Row[], variables: readonly Variable[], intervalMs: number): Row[] {
  const startOf = (row: Row): number => Math.floor(Date.parse(row["timestamp"] as string) / intervalMs) * intervalMs;
  const intervals = Map.groupBy(rows, (row) => `${startOf(row)} ${row["station_id"] as string}`);
  return [...intervals.values()].map((own) => {
    const first = own[0]!;
    const mean = (name: Variable): number | null => {
      const values = own.map((row) => row[name] as number | null).filter((value) => value !== null);
      return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
    };
    const means = Object.fromEntries(variables.map((name) => [name, mean(name)]));
    return { ...first, timestamp: new Date(startOf(first)).toISOString(), ...means };
  });
}

const NETWORK = {
  id: "d0c0ffee-0000-4000-8000-00000000000a",
  code: "HOST",
  name: "Hostile Network",
  is_owner: false,
  visibility: "public",
  is_internal: false,
  created_at: "2020-01-01T00:00:00.000Z",
  updated_at: "2020-01-01T00:00:00.000Z",
};

function stationWire(index: number): Row {
  return {
    id: STATIONS[index]!.id,
    display_name: STATIONS[index]!.name,
    source_type: "cors",
    historic_data_from: new Date(START_MS - 30 * 86_400_000).toISOString(),
    resolution_seconds: 30,
    location_alias: STATIONS[index]!.name,
    country_code: "FI",
    latitude: 60 + index,
    longitude: 24,
    height: 50,
    height_vertical_reference: "WGS84_ELLIPSOID",
    data_last_updated: new Date(Math.floor(Date.now() / STEP_MS) * STEP_MS).toISOString(),
    network_id: NETWORK.id,
    network_code: NETWORK.code,
    created_at: "2020-01-01T00:00:00.000Z",
    updated_at: "2020-01-01T00:00:00.000Z",
  };
}

/** A page of the catalogue, or one station; null for an unknown path. */
function pageOf(path: string, query: URLSearchParams): Row | null {
  const page = Number(query.get("page") ?? 1);
  const page_size = Number(query.get("page_size") ?? 20);
  const cut = (all: readonly Row[], name: string): Row => ({
    [name]: all.slice((page - 1) * page_size, page * page_size),
    pagination: { page, page_size, total_items: all.length, total_pages: Math.ceil(all.length / page_size) },
  });
  if (path === "/api/v1/networks") return cut([NETWORK], "networks");
  if (path === "/api/v1/stations") {
    return cut(
      STATIONS.map((s) => stationWire(s.index)),
      "stations",
    );
  }
  const one = STATIONS.find((s) => path === `/api/v1/stations/${s.id}`);
  return one ? stationWire(one.index) : null;
}
