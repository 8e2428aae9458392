import type { Exchange } from "../exchange.ts";
import { refusal, type Refusal } from "../http/refusal.ts";
import type { AdmittedQuery } from "./admitted.ts";

/** Stands in until the writer of the formats has landed. */
export async function answerNetcdf(_exchange: Exchange, _admitted: AdmittedQuery): Promise<Refusal | null> {
  return refusal(503, "NetCDF answers are not ready yet.");
}
