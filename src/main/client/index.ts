import { failure } from "#shared/service/error.ts";
import * as catalogue from "./catalogue.ts";
import { serviceError } from "./errors/refusal.ts";
import { readBaseUrl } from "./http/baseUrl.ts";
import { createTransport } from "./http/transport.ts";
import { fetchNearest } from "./nearest.ts";
import { Caller } from "./request.ts";
import { timeSeries } from "./timeSeries.ts";
import type { ClientOptions, ServiceClient } from "./types.ts";

export { parseLimit } from "./errors/limit.ts";
export { serviceError } from "./errors/refusal.ts";
export { type BaseUrl, isLoopback, readBaseUrl } from "./http/baseUrl.ts";
export { certificateFileProblem, createTransport, type TransportOptions } from "./http/transport.ts";

/** Creates a client that sends nothing: every call fails with the sentence. */
export function createRefusingClient(origin: string, sentence: string): ServiceClient {
  const refuse = () => Promise.resolve(failure(serviceError("invalid", sentence)));
  return {
    origin,
    stationsPage: refuse,
    allStations: refuse,
    station: refuse,
    allNetworks: refuse,
    timeSeries: refuse,
    nearest: refuse,
    close: () => Promise.resolve(),
  };
}

const STALL_MS = 120_000;

/**
 * Creates the client of one service. An invalid address throws no exception: every call then fails with the sentence
 * of `readBaseUrl`.
 */
export function createClient(options: ClientOptions): ServiceClient {
  const base = readBaseUrl(options.baseUrl);
  if (!base.ok) return createRefusingClient("", base.error);
  const { origin, path } = base.value;
  const { apiKey, whyNoKey = () => null, transport, stallMs = STALL_MS } = options;
  const { send, close } = transport ? { send: transport, close: async () => {} } : createTransport(options.route);
  const caller = new Caller({ base: base.value, apiKey, whyNoKey, send, stallMs });

  return {
    origin,
    stationsPage: (filter, page, pageSize, signal) =>
      catalogue.stationsPage(caller, filter, { page, pageSize }, signal),
    allStations: (filter, signal, request) => catalogue.allStations(caller, filter, signal, request),
    station: (id, heightReference, signal) => catalogue.station(caller, id, heightReference, signal),
    allNetworks: (signal, request) => catalogue.allNetworks(caller, signal, request),
    timeSeries: (query, callbacks, signal) => timeSeries(caller, query, callbacks, signal),
    nearest: (query, signal, names) => fetchNearest({ caller, basePath: path }, query, signal, names),
    close,
  };
}
