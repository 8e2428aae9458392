import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { createClient } from "#main/client/index.ts";
import type { ServiceClient } from "#main/client/types.ts";
import type { ServiceError } from "#shared/service/error.ts";
import type { TimeSeriesQuery } from "#shared/service/query.ts";

/** Real servers with any faults that a test needs, stopped at the end of the test. */

export const KEY = "zk-3b1f-secret-9d";
/** Stall limit of clients in tests of silent servers. */
export const STALL_MS = 400;
/** Stall limit of other clients, because a response of this process may be late on a busy machine. */
const PATIENCE_MS = 15_000;
export const never = new AbortController().signal;

export const QUERY: TimeSeriesQuery = {
  stationIds: ["s1"],
  variables: ["ztd"],
  startMs: Date.UTC(2026, 0, 1),
  endMs: Date.UTC(2026, 0, 2),
  intervalSeconds: null,
  raw: false,
};

export interface Running {
  readonly url: string;
  readonly host: string;
  /** The head of every request, and its body if a handler reads it. */
  readonly heads: string[];
  readonly opened: () => number;
  /** Number of closed connections. */
  readonly closed: () => number;
}

async function running(server: Server, scheme = "http"): Promise<Running> {
  const heads: string[] = [];
  const sockets = new Set<Socket>();
  let opened = 0;
  let closed = 0;
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    opened++;
    socket.on("error", () => undefined);
    socket.on("close", () => closed++);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: `${scheme}://${host}`, host, heads, opened: () => opened, closed: () => closed };
}

/** A server on bytes: `respond` is called with the socket for each request. */
export async function rawServer(respond: (socket: Socket, head: string) => void): Promise<Running> {
  const heads: string[] = [];
  const server = createTcpServer((socket) => {
    let text = "";
    socket.on("data", (piece) => {
      text += piece.toString("latin1");
      const end = text.indexOf("\r\n\r\n");
      if (end < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
      if (text.length < end + 4 + length) return;
      heads.push(text);
      text = "";
      respond(socket, heads.at(-1)!);
    });
  });
  return { ...(await running(server)), heads };
}

export async function httpServer(
  respond: (request: IncomingMessage, response: ServerResponse, body: string) => void,
): Promise<Running> {
  const heads: string[] = [];
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = "";
    for await (const piece of request) body += String(piece);
    heads.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)} ${body}`);
    respond(request, response, body);
  };
  const server = createServer((request, response) => void serve(request, response));
  return { ...(await running(server)), heads };
}

export { running };

/** A raw response with status 200, JSON and its length. */
export function jsonResponse(body: string | Buffer, headers = ""): Buffer {
  const bytes = Buffer.from(body);
  const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${bytes.length}\r\n${headers}\r\n`;
  return Buffer.concat([Buffer.from(head), bytes]);
}

export function clientOf(url: string, key: string | null = KEY, stallMs = PATIENCE_MS): ServiceClient {
  const client = createClient({ baseUrl: url, apiKey: () => key, stallMs });
  onTestFinished(() => client.close());
  return client;
}

/** All calls of the client, which return the failure or null. */
export const CALLS: Readonly<
  Record<string, (client: ServiceClient, signal?: AbortSignal) => Promise<ServiceError | null>>
> = {
  timeSeries: async (client, signal = never) => errorOf(await client.timeSeries(QUERY, { onRows() {} }, signal)),
  allStations: async (client, signal = never) => errorOf(await client.allStations({}, signal)),
  nearest: async (client, signal = never) =>
    errorOf(
      await client.nearest(
        { stationIds: "all", variables: ["ztd"], timeMs: null, withinSeconds: 3_600, raw: false },
        signal,
      ),
    ),
};

function errorOf(result: { ok: true } | { ok: false; error: ServiceError }): ServiceError | null {
  return result.ok ? null : result.error;
}

/** A complete, empty response for any endpoint. */
export const EMPTY = JSON.stringify({
  data: [],
  count: 0,
  time: "2026-01-01T00:00:00.000Z",
  missing_station_ids: [],
  stations: [],
  networks: [],
  pagination: { page: 1, page_size: 200, total_items: 0, total_pages: 0 },
});
