import { failure } from "#shared/service/error.ts";
import { serviceError } from "./errors/make.ts";
import type { ServiceClient } from "./types.ts";

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
