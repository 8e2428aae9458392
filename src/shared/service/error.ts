/**
 * Why a request failed; `planner/failures` says what follows.
 *
 * - invalid: 400, or a request that could not be built
 * - unauthorized, forbidden, notFound, deadline: 401, 403, 404, 408
 * - tooLarge: 413; `limitPoints` if the message contains it
 * - busy: 429; `retryAfterMs` if the header is present
 * - unavailable: 5xx
 * - network: connection failed or lost; `cause` says which
 * - truncated: the body ended early or does not match its length
 * - unusable: an ambiguous response, for example with rows of stations that were not requested
 * - tls: the certificate is invalid for this host
 * - proxy: 407, or the proxy refused
 * - redirected: the service redirects to another origin, which must not receive the key
 * - notTheService: a response of another program (a web page, another type, structure or protocol)
 * - cancelled: cancelled by the caller
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
