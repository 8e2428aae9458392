import { MEDIA_JSON } from "#shared/service/query.ts";
import type { EndpointGroup } from "./route.ts";

/** A refusal of a request: the status of section 7 and a sentence. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent unchanged instead of an error body, as a proxy would. */
  readonly page: string | null;
}

export function refusal(status: number, message: string, more: Partial<Refusal> = {}): Refusal {
  return { status, message, details: {}, headers: {}, page: null, ...more };
}

/** A 400 that names the invalid parameter. */
export function badParameter(parameter: string, problem: string): Refusal {
  return refusal(400, `Invalid ${parameter}: ${problem}.`, { details: { parameter } });
}

/** Values of `code` are not stated by the specification; these are ours. */
const CODES: Readonly<Record<number, string>> = {
  400: "VALIDATION_ERROR",
  401: "UNAUTHORIZED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  405: "METHOD_NOT_ALLOWED",
  429: "TOO_MANY_REQUESTS",
  500: "INTERNAL_ERROR",
  503: "SERVICE_UNAVAILABLE",
};

/** Body and type of an error in the shape of its endpoint group (section 7). */
export function errorBody(refusal: Refusal, group: EndpointGroup): { readonly type: string; readonly text: string } {
  if (refusal.page !== null) return { type: "text/html; charset=utf-8", text: refusal.page };
  const { message, details } = refusal;
  const body = group === "measurements" ? { error: message } : { message, code: CODES[refusal.status] ?? "", details };
  return { type: MEDIA_JSON, text: JSON.stringify(body) };
}
