import { z } from "zod";

/** Body of an error of stations and networks (section 7); values of `code` are not stated, so any text is one. */
export const catalogueErrorSchema = z.looseObject({
  message: z.string(),
  code: z.string().catch("").default(""),
  details: z.looseObject({}).nullable().catch(null).default(null),
});

/** Body of an error of time series and nearest time (section 7). */
export const measurementErrorSchema = z.looseObject({ error: z.string() });

/** The sentence that an error body carries, whatever its shape; null where it carries none. */
export function errorSentence(body: unknown): string | null {
  const measurement = measurementErrorSchema.safeParse(body);
  if (measurement.success) return measurement.data.error;
  const catalogue = catalogueErrorSchema.safeParse(body);
  return catalogue.success ? catalogue.data.message : null;
}

/**
 * Why a request brought no answer. `kind` decides what happens next:
 *
 * | kind | meaning | reaction |
 * |---|---|---|
 * | invalid | 400, or a request that could not be made | give up, show the sentence |
 * | unauthorized | 401 | the job waits for a key |
 * | forbidden | 403 | the station at fault is isolated |
 * | notFound | 404 | give up |
 * | deadline | 408 | ask for less at a time |
 * | tooLarge | 413; `limitPoints` where the message states it | ask for less at a time |
 * | busy | 429; `retryAfterMs` where the header tells | everyone waits, then fewer at once |
 * | unavailable | 5xx | retry with backoff |
 * | network | no connection, or lost on the way; `cause` tells which | retry with backoff |
 * | truncated | the body ended early or does not fit its own length | retry with backoff |
 * | unusable | an answer of the service that leaves open what it has, for example with rows that belong to nobody who was asked for | ask again, smaller; give up where nothing smaller can be asked |
 * | tls | the certificate is not good for this host | give up, show the sentence |
 * | proxy | 407, or the proxy refused | give up, show the sentence |
 * | redirected | the service points to another origin, where the key must not go | give up, show the sentence |
 * | notTheService | an answer, but not from this service (a web page, another type, another shape) | give up after a retry |
 * | cancelled | the caller asked to stop | stop |
 */
export type ServiceErrorKind =
  | "invalid"
  | "unauthorized"
  | "forbidden"
  | "notFound"
  | "deadline"
  | "tooLarge"
  | "busy"
  | "unavailable"
  | "network"
  | "truncated"
  | "unusable"
  | "tls"
  | "proxy"
  | "redirected"
  | "notTheService"
  | "cancelled";

/** A failure at the border to the service. `message` is for the user, `cause` for the log; neither holds the key. */
export interface ServiceError {
  readonly kind: ServiceErrorKind;
  readonly message: string;
  readonly status: number | null;
  /** tooLarge: the limit in data points that the message states, null where it states none. */
  readonly limitPoints: number | null;
  /** busy, unavailable: how long the service asks to wait, already clamped; null where it does not say. */
  readonly retryAfterMs: number | null;
  /** network: no connection came about, so that the request itself cannot be the reason. */
  readonly isUnsent?: boolean;
  readonly cause: string | null;
}

/** A value, or the reason why there is none: how results cross every boundary of this application. */
export type Result<T, E = ServiceError> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E };

export function success<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

export function failure<E>(error: E): { readonly ok: false; readonly error: E } {
  return { ok: false, error };
}
