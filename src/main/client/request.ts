import { failure, type Result, type ServiceError, success } from "#shared/service/error.ts";
import { API_KEY_HEADER, API_PREFIX, MEDIA_JSON } from "#shared/service/query.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { transportError } from "./errors/transportError.ts";
import { refusal, sentenceIn, serviceError, ServiceFailure, withoutKey } from "./errors/refusal.ts";
import { withStallTimeout, readBodyStart, decompressed } from "./http/body.ts";
import { type BaseUrl, isLoopback, isRedirect, MAX_HOPS, nextHop } from "./http/baseUrl.ts";
import { StallTimeout } from "./http/stallTimeout.ts";
import { parseHttpDate } from "./http/times.ts";
import { hideInLog } from "../log/index.ts";
import type { Transport, TransportResponse } from "./types.ts";

/** A request to the service, below `/api/v1`. */
interface ServiceRequest<T> {
  readonly method: "GET" | "POST";
  /** With its leading slash; already encoded. */
  readonly path: string;
  /** Encoded pairs, without the question mark. */
  readonly query?: string;
  readonly json?: unknown;
  /** Data points if known: helps to find a limit in the text of a refusal. */
  readonly points?: number | null;
  /** The result of a response with another status than 200, by what its body says; null if it is a failure. */
  readonly otherwise?: (status: number, said: string, serverTimeMs: UtcMs | null) => T | null;
}

/** A response with status 200. Reading its body throws only `ServiceFailure`. */
export interface ServiceResponse {
  readonly headers: Readonly<Record<string, string>>;
  readonly serverTimeMs: UtcMs | null;
  readonly body: AsyncIterable<Uint8Array>;
  readonly host: string;
  /** How long a body that is longer than expected may continue. Milliseconds. */
  readonly lateMs: number;
}

interface CallerOptions {
  readonly base: BaseUrl;
  readonly apiKey: () => string | null;
  readonly whyNoKey: () => string | null;
  readonly send: Transport;
  readonly stallMs: number;
}

const ERROR_BYTES = 65_536;
/** Stall timeouts that a late body may take: ten minutes if the timeout is two. */
const LATE_STALLS = 5;
/** Three seconds if the timeout is two minutes: the status suffices, so a slow explanation is not waited for. */
const EXPLAINING_STALLS = 1 / 40;

export class Caller {
  readonly #options: CallerOptions;
  readonly #host;

  constructor(options: CallerOptions) {
    this.#options = options;
    this.#host = new URL(options.base.origin).host;
  }

  /** Sends a request and reads its response; every failure is a value, and an exception of `read` a bug. */
  async call<T>(
    request: ServiceRequest<T>,
    read: (answer: ServiceResponse) => Promise<Result<T>>,
    signal: AbortSignal,
  ): Promise<Result<T>> {
    const checked = checkKey(this.#options.apiKey(), this.#host, this.#options.whyNoKey);
    if (!checked.ok) return checked;
    const key = checked.value;
    // No line of the log may contain a key that was used.
    hideInLog(key);
    if (signal.aborted) return failure(cancelled());
    const stallTimeout = new StallTimeout(signal, this.#options.stallMs);
    try {
      const result = await this.#exchange(request, key, stallTimeout, read);
      return result.ok ? result : failure(withoutKey(result.error, key));
    } catch (thrown) {
      if (!(thrown instanceof ServiceFailure)) throw thrown;
      return failure(signal.aborted ? cancelled() : withoutKey(thrown.error, key));
    } finally {
      stallTimeout.end();
    }
  }

  async #exchange<T>(
    request: ServiceRequest<T>,
    key: string,
    stallTimeout: StallTimeout,
    read: (answer: ServiceResponse) => Promise<Result<T>>,
  ): Promise<Result<T>> {
    const arrived = await this.#receiveHead(request, key, stallTimeout);
    if (!arrived.ok) return arrived;
    const { status, headers } = arrived.value;
    const serverTimeMs = parseHttpDate(headers["date"]);
    const body = this.#readable(arrived.value, stallTimeout);
    if (READ.has(status)) {
      return read({
        headers,
        serverTimeMs,
        body,
        host: this.#host,
        lateMs: LATE_STALLS * this.#options.stallMs,
      });
    }
    // The refusal is returned even if its explanation cannot be read.
    const text = await readBodyStart(body, ERROR_BYTES, EXPLAINING_STALLS * this.#options.stallMs).then(
      (bytes) => bytes.toString("utf8"),
      () => "",
    );
    if (stallTimeout.outerAborted()) return failure(cancelled());
    const other = request.otherwise?.(status, sentenceIn(text, headers["content-type"]), serverTimeMs) ?? null;
    if (other !== null) return success(other);
    return failure(refusal({ status, headers, text, serverTimeMs, host: this.#host, points: request.points ?? null }));
  }

  /** Receives the head of the response, after following redirects within the origin. */
  async #receiveHead(
    request: ServiceRequest<unknown>,
    key: string,
    stallTimeout: StallTimeout,
  ): Promise<Result<TransportResponse>> {
    let method = request.method;
    let url = new URL(`${this.#options.base.origin}${this.#options.base.path}${API_PREFIX}${request.path}`);
    if (request.query) url.search = request.query;
    let body = request.json === undefined ? null : JSON.stringify(request.json);
    for (let hops = 0; hops <= MAX_HOPS; hops++) {
      const headers = headersFor(url, key, body !== null);
      const answer = await translateErrors("head", this.#host, stallTimeout, () =>
        // The time until the head does not count against the body.
        stallTimeout.wait(
          this.#options.send({ method, url, headers, body, signal: stallTimeout.signal }),
          () => Infinity,
        ),
      );
      if (!isRedirect(answer.status)) return success(answer);
      await readBodyStart(this.#readable(answer, stallTimeout), ERROR_BYTES, EXPLAINING_STALLS * this.#options.stallMs);
      const hop = nextHop(answer.status, url, method, answer.headers["location"]);
      if (!hop.ok) return failure(elsewhere(this.#host, hop.error, answer.status));
      ({ method, url } = hop.value);
      if (!hop.value.keepsBody) body = null;
    }
    const message = `${this.#host} sends every request on to another address and never answers. Check the address of the service.`;
    return failure(serviceError("redirected", message, { cause: `more than ${MAX_HOPS} redirects` }));
  }

  #readable(answer: TransportResponse, stallTimeout: StallTimeout): AsyncIterable<Uint8Array> {
    return decodedBody(
      withStallTimeout(answer.body, stallTimeout),
      answer.headers["content-encoding"],
      this.#host,
      stallTimeout,
    );
  }
}

/** Statuses of complete responses: some frameworks respond 201 to every POST, and a proxy that changed a response 203. */
const READ: ReadonlySet<number> = new Set([200, 201, 203]);

/** Yields the decoded body, with every exception turned into `ServiceFailure`. */
async function* decodedBody(
  body: AsyncIterable<Uint8Array>,
  encoding: string | undefined,
  host: string,
  stallTimeout: StallTimeout,
): AsyncGenerator<Uint8Array> {
  const chunks = await translateErrors("body", host, stallTimeout, () =>
    decompressed(body, encoding)[Symbol.asyncIterator](),
  );
  try {
    for (;;) {
      const next = await translateErrors("body", host, stallTimeout, () => chunks.next());
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    // The rest of the body is not needed, and a failure to close it does not matter.
    await chunks.return?.().then(undefined, () => undefined);
  }
}

async function translateErrors<T>(
  phase: "head" | "body",
  host: string,
  stallTimeout: StallTimeout,
  act: () => T | Promise<T>,
): Promise<T> {
  try {
    return await act();
  } catch (thrown) {
    if (thrown instanceof ServiceFailure) throw thrown;
    throw new ServiceFailure(transportError(stallTimeout.stalled() ?? thrown, phase, host));
  }
}

function headersFor(url: URL, key: string, hasBody: boolean): Record<string, string> {
  return {
    [API_KEY_HEADER]: key,
    Accept: MEDIA_JSON,
    // On this computer compression costs more than it saves.
    "Accept-Encoding": isLoopback(url) ? "identity" : "gzip",
    "User-Agent": "zenith-desk",
    ...(hasBody ? { "Content-Type": MEDIA_JSON } : {}),
  };
}

function checkKey(key: string | null, host: string, whyNoKey: () => string | null): Result<string> {
  if (key === null || key === "") {
    return failure(serviceError("unauthorized", whyNoKey() ?? `${host} needs an API key. Enter one to continue.`));
  }
  if (!/^[\x21-\x7e]+$/.test(key)) {
    const message = `The API key for ${host} holds a space, a line break or another character that no key has. Enter it again.`;
    return failure(serviceError("unauthorized", message));
  }
  return success(key);
}

function elsewhere(host: string, target: string, status: number): ServiceError {
  const message = `${host} redirects requests to ${target.slice(0, 200)}, where the API key must not go. If that is the service's address, change the connection to it; if not, the network may ask for a login first.`;
  return serviceError("redirected", message, { status, cause: `HTTP ${status} to ${target.slice(0, 200)}` });
}

export function cancelled(): ServiceError {
  return serviceError("cancelled", "Stopped at your request.");
}
