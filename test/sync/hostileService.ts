import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createClient } from "#main/client/index.ts";
import { openCache } from "#main/store/index.ts";
import { createSession, type Session, type SessionOptions } from "#main/sync/session.ts";
import type { JobSpec } from "#shared/job/job.ts";
import { leapingClock } from "./leapingClock.ts";

export const STEP_MS = 30_000;
/** Steps between two values of the sparse variable. */
export const SPARSE_STEPS = 10;
export const START_MS = Date.UTC(2026, 5, 1);
const NOW_MS = Date.UTC(2026, 9, 15, 12);

/** A request for measurements as the service reads it. */
export interface DataRequest {
  readonly stations: readonly number[];
  readonly startMs: number;
  readonly endMs: number;
  readonly variables: readonly string[];
  /** Epochs of all stations. */
  readonly points: number;
  /** Requests that the service handles, with this one. */
  readonly concurrent: number;
  /** Time since the start, on the clock of the session. */
  readonly atMs: number;
}

export type Fault =
  | { readonly status: number; readonly error?: string; readonly headers?: Record<string, string> }
  | "reset"
  | "resetInside"
  | "cut"
  | "empty";

/**
 * The fault that the service causes for a request; null for a proper response. `path` is that of a catalogue request.
 */
export type Behaviour = (request: DataRequest | { readonly path: string; readonly atMs: number }) => Fault | null;

export interface Hostile {
  readonly session: Session;
  readonly clock: ReturnType<typeof leapingClock>;
  readonly requests: DataRequest[];
  /** Requests for the catalogue. */
  readonly others: () => number;
  behave(behaviour: Behaviour): void;
  /** Opens another session on the same cache. */
  again(): Session;
}

export function idOf(station: number): string {
  return `00000000-0000-4000-8000-${String(station).padStart(12, "0")}`;
}

/** The value that the service measured, computed from the station and the time. */
export function valueAt(station: number, timeMs: number): number {
  return 2_000 + station * 50 + ((timeMs / STEP_MS) % 400) / 10;
}

export function specOf(stations: number, epochs: number, change: Partial<JobSpec> = {}): JobSpec {
  return {
    stationIds: Array.from({ length: stations }, (_, i) => idOf(i)),
    variables: ["ztd"],
    range: { startMs: START_MS, endMs: START_MS + epochs * STEP_MS },
    intervalSeconds: null,
    raw: false,
    ...change,
  };
}

/** Water vapour is more sparse than the delay, as the specification says. */
const CADENCE_MS: Readonly<Record<string, number>> = { ztd: STEP_MS, pwv: SPARSE_STEPS * STEP_MS };

const EMPTY = JSON.stringify({ data: [], count: 0 });

const PROPER: Behaviour = () => null;

/** A service on real sockets with stations that have a value every 30 s, and a session on a clock that leaps. */
export async function openHostile(
  stations: number,
  {
    catalogue = {},
    clockErrorMs = 0,
    ...options
  }: Partial<SessionOptions> & { readonly catalogue?: object; readonly clockErrorMs?: number } = {},
): Promise<Hostile> {
  let behaviour: Behaviour = PROPER;
  let underWay = 0;
  let others = 0;
  const requests: DataRequest[] = [];
  const sockets = new Set<Socket>();
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    underWay++;
    response.once("close", () => underWay--);
    let body = "";
    for await (const piece of request) body += String(piece);
    const atMs = clock.monotonicMs() - 1_000;
    response.setHeader("Date", new Date(clock.wallMs()).toUTCString());
    if (request.method === "POST") {
      const one = { ...readRequest(body), concurrent: underWay, atMs };
      requests.push(one);
      respond(response, behaviour(one), () => rowsOf(one));
    } else {
      others++;
      respond(response, behaviour({ path: request.url!, atMs }), () => catalogueOf(stations, catalogue));
    }
  }
  const server = createServer((request, response) => void handle(request, response));
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  const clock = leapingClock(() => underWay > 0, NOW_MS);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const folder = mkdtempSync(join(tmpdir(), "zenith-hostile-"));
  const closers: (() => Promise<void>)[] = [];

  function open(): Session {
    const cache = openCache(join(folder, "cache.db"));
    const client = createClient({ baseUrl: url, apiKey: () => "key" });
    closers.push(async () => {
      await client.close();
      cache.close();
    });
    const own = { ...clock, wallMs: () => clock.wallMs() + clockErrorMs };
    return createSession({ client, cache, clock: own, ...options });
  }
  const session = open();
  onTestFinished(async () => {
    for (const close of closers.toReversed()) await close();
    for (const socket of sockets) socket.destroy();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    session,
    clock,
    requests,
    others: () => others,
    behave: (next) => void (behaviour = next),
    again: open,
  };
}

function readRequest(body: string): Omit<DataRequest, "atMs" | "concurrent"> {
  const query = JSON.parse(body) as Record<"start_time" | "end_time", string> &
    Record<"station_ids" | "data_vars", string[]>;
  const startMs = Date.parse(query.start_time);
  const endMs = Date.parse(query.end_time);
  const stations = query.station_ids.map((id) => Number(id.slice(-12)));
  const points = stations.length * (Math.ceil(endMs / STEP_MS) - Math.ceil(startMs / STEP_MS));
  return { stations, startMs, endMs, variables: query.data_vars, points };
}

/** The rows that were sent, as JSON: a narrowed request asks for the same ones again. */
const sentRows = new Map<string, string>();

function rowsOf({ stations, startMs, endMs, variables }: DataRequest): string {
  const data: string[] = [];
  for (let timeMs = Math.ceil(startMs / STEP_MS) * STEP_MS; timeMs < endMs; timeMs += STEP_MS)
    for (const station of stations) {
      const key = `${station} ${timeMs} ${variables.join()}`;
      const row = sentRows.get(key) ?? rowOf(station, timeMs, variables);
      sentRows.set(key, row);
      if (row !== "") data.push(row);
    }
  return `{"data":[${data.join()}],"count":${data.length}}`;
}

/** A row as JSON, empty without a value. */
function rowOf(station: number, timeMs: number, variables: readonly string[]): string {
  const values = variables.flatMap((name) =>
    timeMs % CADENCE_MS[name]! > 0 ? [] : [[name, valueAt(station, timeMs)] as const],
  );
  if (values.length === 0) return "";
  const timestamp = new Date(timeMs).toISOString();
  return JSON.stringify({
    timestamp,
    station_id: idOf(station),
    display_name: `S${station}`,
    ...Object.fromEntries(values),
  });
}

function catalogueOf(stations: number, change: object): string {
  const list = Array.from({ length: stations }, (_, i) => ({
    id: idOf(i),
    display_name: `S${i}`,
    source_type: "cors",
    resolution_seconds: 30,
    historic_data_from: "2020-01-01T00:00:00.000Z",
    data_last_updated: new Date(NOW_MS).toISOString(),
    ...change,
  }));
  const pagination = { page: 1, page_size: 200, total_items: stations, total_pages: 1 };
  return JSON.stringify({ stations: list, networks: [], pagination });
}

function respond(response: ServerResponse, fault: Fault | null, bodyOf: () => string): void {
  if (fault === "reset") return void response.socket?.resetAndDestroy();
  response.setHeader("Content-Type", "application/json");
  if (fault !== null && typeof fault === "object") {
    response.writeHead(fault.status, fault.headers).end(JSON.stringify({ error: fault.error ?? "no" }));
    return;
  }
  const body = fault === "empty" ? EMPTY : bodyOf();
  const half = body.slice(0, body.length / 2);
  if (fault === null || fault === "empty") response.end(body);
  else if (fault === "cut") response.end(half);
  else response.write(half, () => void response.socket?.resetAndDestroy());
}
