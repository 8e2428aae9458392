import { failure, type Result, type ServiceError, success } from "#shared/service/error.ts";
import { API_KEY_HEADER, API_PREFIX, MEDIA_JSON } from "#shared/service/limits.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { lostError } from "./errors/lost.ts";
import { Failed, scrubbed, serviceError } from "./errors/make.ts";
import { refusal } from "./errors/refusal.ts";
import { endingStalls, startOfBody, unpacked } from "./http/body.ts";
import { type BaseUrl, isLoopback } from "./http/baseUrl.ts";
import { createPatience, type Patience } from "./http/patience.ts";
import { isRedirect, MOST_HOPS, nextHop } from "./http/redirect.ts";
import { parseHttpDate } from "./http/times.ts";
import { hideInLog } from "../log/index.ts";
import type { Transport, TransportResponse } from "./types.ts";

/** A request to the service, below `/api/v1`. */
export interface ServiceRequest {
  readonly method: "GET" | "POST";
  /** With its leading slash; already encoded. */
  readonly path: string;
  /** Encoded pairs, without the question mark. */
  readonly query?: string;
  readonly json?: unknown;
  /** Data points, where known: helps to read a limit out of a refusal. */
  readonly points?: number | null;
  /** A status beside 200 whose answer is read. */
  readonly reads?: number;
}

/** An answer with status 200, or the one that the request `reads`. Reading its body throws `Failed`, and nothing else. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly serverTimeMs: UtcMs | null;
  readonly body: AsyncIterable<Uint8Array>;
  readonly host: string;
  /** How long a body may go on that is longer than it should be. */
  readonly lateMs: number;
}

export interface Caller {
  /** Sends a request and reads its answer; every failure on the way is a value, an exception of `read` a bug. */
  call<T>(
    request: ServiceRequest,
    read: (answer: Answer) => Promise<Result<T>>,
    signal: AbortSignal,
  ): Promise<Result<T>>;
}

export interface CallerOptions {
  readonly base: BaseUrl;
  readonly apiKey: () => string | null;
  readonly whyNoKey: () => string | null;
  readonly send: Transport;
  readonly stallMs: number;
}

const ERROR_BYTES = 65_536;
/** Ten minutes, where the longest wait is two. */
const LATE_STALLS = 5;
/** Three seconds: an explanation that comes letter by letter is not waited for, since the status says enough. */
const EXPLAINING_STALLS = 1 / 40;

export function createCaller({ base, apiKey, whyNoKey, send, stallMs }: CallerOptions): Caller {
  const host = new URL(base.origin).host;

  return {
    async call(request, read, signal) {
      const key = apiKey();
      const unusable = keyProblem(key, host, whyNoKey);
      if (unusable !== null) return failure(unusable);
      // Whoever uses a key takes care that no line of the log holds it.
      hideInLog(key!);
      if (signal.aborted) return failure(cancelled());
      const patience = createPatience(signal, stallMs);
      try {
        const result = await exchange(request, key!, patience, read);
        return result.ok ? result : failure(scrubbed(result.error, key));
      } catch (thrown) {
        if (!(thrown instanceof Failed)) throw thrown;
        return failure(signal.aborted ? cancelled() : scrubbed(thrown.error, key));
      } finally {
        patience.end();
      }
    },
  };

  async function exchange<T>(
    request: ServiceRequest,
    key: string,
    patience: Patience,
    read: (answer: Answer) => Promise<Result<T>>,
  ): Promise<Result<T>> {
    const arrived = await arrive(request, key, patience);
    if (!arrived.ok) return arrived;
    const { status, headers } = arrived.value;
    const serverTimeMs = parseHttpDate(headers["date"]);
    const body = readable(arrived.value, patience);
    if (READ.has(status) || status === request.reads) {
      return read({ status, headers, serverTimeMs, body, host, lateMs: LATE_STALLS * stallMs });
    }
    // A refusal stands, whatever happens to its explanation.
    const text = await startOfBody(body, ERROR_BYTES, EXPLAINING_STALLS * stallMs).then(
      (bytes) => bytes.toString("utf8"),
      () => "",
    );
    if (patience.outerAborted()) return failure(cancelled());
    return failure(refusal({ status, headers, text, serverTimeMs, host, points: request.points ?? null }));
  }

  /** The head of the answer, behind redirects within the origin. */
  async function arrive(request: ServiceRequest, key: string, patience: Patience): Promise<Result<TransportResponse>> {
    let method = request.method;
    let url = new URL(`${base.origin}${base.path}${API_PREFIX}${request.path}`);
    if (request.query) url.search = request.query;
    let body = request.json === undefined ? null : JSON.stringify(request.json);
    for (let hops = 0; hops <= MOST_HOPS; hops++) {
      const headers = headersFor(url, key, body !== null);
      const answer = await lostAs("head", host, patience, () =>
        // What the service took to think does not count against its body.
        patience.wait(send({ method, url, headers, body, signal: patience.signal }), () => Infinity),
      );
      if (!isRedirect(answer.status)) return success(answer);
      await startOfBody(readable(answer, patience), ERROR_BYTES, EXPLAINING_STALLS * stallMs);
      const hop = nextHop(answer.status, url, method, answer.headers["location"]);
      if (!hop.ok) return failure(elsewhere(host, hop.error, answer.status));
      ({ method, url } = hop.value);
      if (!hop.value.keepsBody) body = null;
    }
    const message = `${host} sends every request on to another address and never answers. Check the address of the service.`;
    return failure(serviceError("redirected", message, { cause: `more than ${MOST_HOPS} redirects` }));
  }

  function readable(answer: TransportResponse, patience: Patience): AsyncIterable<Uint8Array> {
    return failing(endingStalls(answer.body, patience), answer.headers["content-encoding"], host, patience);
  }
}

/** A whole answer: some frameworks say 201 to every POST, and a proxy that changed something on the way says 203. */
const READ: ReadonlySet<number> = new Set([200, 201, 203]);

/** The decoded body, with every exception turned into `Failed`. */
async function* failing(
  body: AsyncIterable<Uint8Array>,
  encoding: string | undefined,
  host: string,
  patience: Patience,
): AsyncGenerator<Uint8Array> {
  const pieces = await lostAs("body", host, patience, () => unpacked(body, encoding)[Symbol.asyncIterator]());
  try {
    for (;;) {
      const next = await lostAs("body", host, patience, () => pieces.next());
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    // What is left of the body is of no interest, nor is a failure to close it.
    await pieces.return?.().then(undefined, () => undefined);
  }
}

async function lostAs<T>(
  phase: "head" | "body",
  host: string,
  patience: Patience,
  act: () => T | Promise<T>,
): Promise<T> {
  try {
    return await act();
  } catch (thrown) {
    if (thrown instanceof Failed) throw thrown;
    throw new Failed(lostError(patience.stalled() ?? thrown, phase, host));
  }
}

function headersFor(url: URL, key: string, hasBody: boolean): Record<string, string> {
  return {
    [API_KEY_HEADER]: key,
    Accept: MEDIA_JSON,
    // On this computer packing costs more than it saves.
    "Accept-Encoding": isLoopback(url) ? "identity" : "gzip",
    "User-Agent": "zenith-desk",
    ...(hasBody ? { "Content-Type": MEDIA_JSON } : {}),
  };
}

function keyProblem(key: string | null, host: string, whyNoKey: () => string | null): ServiceError | null {
  if (key === null || key === "") {
    return serviceError("unauthorized", whyNoKey() ?? `${host} needs an API key. Enter one to continue.`);
  }
  if (!/^[\x21-\x7e]+$/.test(key)) {
    const message = `The API key for ${host} holds a space, a line break or another character that no key has. Enter it again.`;
    return serviceError("unauthorized", message);
  }
  return null;
}

function elsewhere(host: string, target: string, status: number): ServiceError {
  const message = `${host} sends requests on to ${target.slice(0, 200)}, where the API key must not go. If that is the service's address, change the connection to it; if not, the network may ask for a login first.`;
  return serviceError("redirected", message, { status, cause: `HTTP ${status} to ${target.slice(0, 200)}` });
}

export function cancelled(): ServiceError {
  return serviceError("cancelled", "Stopped at your request.");
}
