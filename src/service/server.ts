import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { setTimeout } from "node:timers/promises";
import { authenticate, findRoute, httpDate, tooBusy, Limiter } from "./admission.ts";
import type { FaultPlan } from "./faults/faults.ts";
import { refusal, type Refusal } from "./http/refusal.ts";
import { groupOf, type Endpoint } from "./http/route.ts";
import { sendRefusal } from "./http/send.ts";
import { ClientGone } from "./http/body.ts";
import type { ServiceSettings } from "./options.ts";
import type { Keyring } from "./organizations.ts";
import type { Recorder, RequestRecord } from "./stats.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import type { World } from "./world/types.ts";
import { networks, station, stations } from "./catalogue/stations.ts";
import type { Exchange, Handler } from "./exchange.ts";
import { nearest } from "./measurements/nearest.ts";
import { timeSeries } from "./measurements/timeSeries.ts";

const HANDLERS: Readonly<Record<Endpoint, Handler>> = { stations, station, networks, nearest, query: timeSeries };

const PORTAL_PAGE =
  "<!doctype html><html><head><title>Guest network</title></head><body><h1>Please sign in to go online</h1></body></html>";

/** Responds to an admitted request, unless a transport fault replaces the response. */
async function answer(exchange: Exchange): Promise<Refusal | null> {
  const { faults, request, response, signal } = exchange;
  if (faults.has("resetBefore")) {
    request.socket.resetAndDestroy();
    return null;
  }
  const slow = faults.find("slow");
  if (slow) await setTimeout(slow.delayMs, undefined, { signal });
  const status = faults.find("status");
  if (status) {
    const headers = status.retryAfter === undefined ? {} : { "Retry-After": status.retryAfter };
    return refusal(status.status, status.message ?? "Something went wrong on purpose.", { headers });
  }
  const redirect = faults.find("redirect");
  if (redirect) {
    response.writeHead(redirect.status ?? 307, { Location: `${redirect.origin ?? ""}${request.url ?? "/"}` }).end();
    return null;
  }
  if (faults.has("html")) {
    response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" }).end(PORTAL_PAGE);
    return null;
  }
  return HANDLERS[exchange.route.endpoint](exchange);
}

/** Everything that outlives a request. It changes between requests, never within one. */
export interface ServiceState {
  readonly world: World;
  /** The present of the service, in whole milliseconds. */
  readonly now: () => UtcMs;
  readonly keyring: Keyring;
  readonly faults: FaultPlan;
  readonly recorder: Recorder;
  readonly onError: (error: unknown) => void;
  settings: ServiceSettings;
}

/** The HTTP server of the service, not listening yet. */
export function makeServer(state: ServiceState): Server {
  const limiter = new Limiter();
  return createServer((request, response) => void serve(state, limiter, request, response));
}

async function serve(
  state: ServiceState,
  limiter: Limiter,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const nowMs = state.now();
  response.sendDate = false;
  response.setHeader("Date", httpDate(nowMs));
  // Not by `URL`, which throws for some addresses that a client can send.
  const [pathname = "/", ...queries] = (request.url ?? "/").split("?");
  const route = findRoute(request, pathname);
  const record = state.recorder.begin({
    method: request.method ?? "",
    path: request.url ?? "/",
    endpoint: route.ok ? route.value.endpoint : null,
    atMs: nowMs,
  });
  const signal = whenGone(request, response, record, state.recorder);
  closeWhenUnread(request, response, state.settings.unreadTimeoutMs);

  async function admitAndAnswer(): Promise<Refusal | null> {
    if (!route.ok) return route.error;
    const found = authenticate(request, state.keyring);
    if (!found.ok) return found.error;
    const organization = found.value;
    record.organization = organization.name;
    const leave = limiter.acquire(organization);
    if (!leave) {
      state.recorder.putOff++;
      return tooBusy(state.settings, nowMs);
    }
    const faults = state.faults.strike(route.value.endpoint);
    record.faults = faults.kinds;
    const { world, settings } = state;
    const search = new URLSearchParams(queries.join("?"));
    const known = { request, response, route: route.value, search, organization, world, settings };
    try {
      return await answer({ ...known, faults, nowMs, record, signal });
    } finally {
      leave();
    }
  }

  try {
    const refused = await admitAndAnswer();
    if (refused) sendRefusal(response, refused, groupOf(pathname));
  } catch (error) {
    if (!(error instanceof ClientGone) && !signal.aborted) {
      state.onError(error);
      failUnexpectedly(response, pathname);
    }
  }
  record.status = response.headersSent ? response.statusCode : 0;
  state.recorder.answered(record);
}

/**
 * Closes the connection if the client reads nothing of a waiting response for this time: otherwise it would keep its
 * permit and the memory of its response for ever. A pause in which nothing waits, such as a long computation, is not the
 * client's fault.
 */
function closeWhenUnread(request: IncomingMessage, response: ServerResponse, timeoutMs: number): void {
  const { socket } = request;
  socket.setTimeout(timeoutMs);
  response.on("timeout", () => {
    if (socket.writableLength > 0) socket.destroy();
  });
}

/** Responds with 500; if the response has begun, only the connection can be closed. */
function failUnexpectedly(response: ServerResponse, pathname: string): void {
  if (response.headersSent) response.destroy();
  else sendRefusal(response, refusal(500, "Unexpected server error."), groupOf(pathname));
}

/** A signal that is aborted when the connection of a request closes; the record is completed at the same moment. */
function whenGone(
  request: IncomingMessage,
  response: ServerResponse,
  record: RequestRecord,
  recorder: Recorder,
): AbortSignal {
  const controller = new AbortController();
  const { socket } = request;
  const bytesBefore = socket.bytesWritten;
  response.once("close", () => {
    record.bytes = socket.bytesWritten - bytesBefore;
    record.isAborted = !response.writableFinished;
    recorder.closed(record);
    controller.abort();
  });
  return controller.signal;
}
