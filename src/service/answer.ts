import { setTimeout } from "node:timers/promises";
import { networks } from "./catalogue/networks.ts";
import { station, stations } from "./catalogue/stations.ts";
import type { Exchange, Handler } from "./exchange.ts";
import { refusal, type Refusal } from "./http/refusal.ts";
import type { Endpoint } from "./http/route.ts";
import { nearest } from "./measurements/nearest.ts";
import { timeSeries } from "./measurements/timeSeries.ts";

const HANDLERS: Readonly<Record<Endpoint, Handler>> = { stations, station, networks, nearest, query: timeSeries };

const PORTAL_PAGE =
  "<!doctype html><html><head><title>Guest network</title></head><body><h1>Please sign in to go online</h1></body></html>";

/** Answers an admitted request, unless a fault of the transport comes first. */
export async function answer(exchange: Exchange): Promise<Refusal | null> {
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
