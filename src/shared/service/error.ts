/**
 * Why a request failed. The kind determines the reaction:
 *
 * | kind | meaning | reaction |
 * |---|---|---|
 * | invalid | 400, or a request that could not be built | separate the stations; try the single one once more, at several times; give it up for a day, or divide |
 * | unauthorized | 401 | the job waits for a key |
 * | forbidden | 403 | separate the stations; try the single one once more; give it up for a day |
 * | notFound | 404 | as for invalid |
 * | deadline | 408 | smaller requests |
 * | tooLarge | 413; `limitPoints` if the message contains it | smaller requests |
 * | busy | 429; `retryAfterMs` if the header is present | pause all workers, then less concurrency |
 * | unavailable | 5xx | retry with backoff |
 * | network | connection failed or lost; `cause` says which | retry with backoff |
 * | truncated | the body ended early or does not match its length | retry with backoff |
 * | unusable | an ambiguous response, for example with rows of stations that were not requested | retry with smaller requests; give up at the smallest |
 * | tls | the certificate is invalid for this host | give up, show the message |
 * | proxy | 407, or the proxy refused | give up, show the message |
 * | redirected | the service redirects to another origin, which must not receive the key | give up, show the message |
 * | notTheService | a response of another program (a web page, another type, structure or protocol) | give up after a retry |
 * | cancelled | cancelled by the caller | stop |
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

/** A failed request. `message` is for the user, `cause` for the log; neither contains the key. */
export interface ServiceError {
  readonly kind: ServiceErrorKind;
  readonly message: string;
  readonly status: number | null;
  /** tooLarge: the limit in data points from the message, or null. */
  readonly limitPoints: number | null;
  /** busy, unavailable: the wait requested by the service, clamped; or null. */
  readonly retryAfterMs: number | null;
  /** network: no connection was established, so that the request itself cannot be the reason. */
  readonly isUnsent?: boolean;
  /** proxy: a setting of this computer is malformed, so nothing was sent. */
  readonly isSetting?: boolean;
  readonly cause: string | null;
}

/** A value or an error: the result type at every boundary of this application. */
export type Result<T, E = ServiceError> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E };

export function success<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

export function failure<E>(error: E): { readonly ok: false; readonly error: E } {
  return { ok: false, error };
}
