import { failure } from "#shared/service/error.ts";
import { serviceError } from "./errors/make.ts";
import type { ServiceClient } from "./types.ts";

/** A client that sends nothing, whatever it is asked: it answers with the sentence. */
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
