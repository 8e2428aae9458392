import { Agent, type Dispatcher, EnvHttpProxyAgent } from "undici";
import type { Transport, TransportResponse } from "../types.ts";
import { isLoopback } from "./baseUrl.ts";
import { createPieces } from "./pieces.ts";

/** A transport with the connections it keeps. */
export interface OwnedTransport {
  readonly send: Transport;
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 20_000;

/**
 * The default transport: undici, with a pool of kept connections. It honours HTTPS_PROXY, HTTP_PROXY and NO_PROXY, but
 * never for this computer: a proxy has no business there. It follows no redirect, keeps no cookies, retries nothing,
 * logs nothing; waiting times are the caller's.
 */
export function createTransport(): OwnedTransport {
  const options: Agent.Options = {
    // HTTP/1.1 throughout: one body per connection, so that a slow one never holds up another.
    allowH2: false,
    connect: { timeout: CONNECT_TIMEOUT_MS },
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  const direct = new Agent(options);
  let proxied: Dispatcher | null = null;

  return {
    async send({ method, url, headers, body, signal }): Promise<TransportResponse> {
      // Made when first needed, so that a malformed proxy address is the error of a request.
      const dispatcher = isLoopback(url) ? direct : (proxied ??= new EnvHttpProxyAgent(options));
      return exchange(
        dispatcher,
        { origin: url.origin, path: url.pathname + url.search, method, headers: { ...headers }, body },
        signal,
      );
    },
    async close() {
      await Promise.all([direct.destroy(), proxied?.destroy()]);
    },
  };
}

/** One request straight on the dispatcher: `undici.request` would put a stream between the socket and the reader. */
function exchange(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  signal: AbortSignal,
): Promise<TransportResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<TransportResponse>();
  let controller: Dispatcher.DispatchController | null = null;
  const abort = (reason: Error): void => {
    signal.removeEventListener("abort", onAbort);
    pieces.fail(reason);
    reject(reason);
    controller?.abort(reason);
  };
  const onAbort = (): void => abort(signal.reason as Error);
  const pieces = createPieces(
    () => controller?.resume(),
    () => abort(new Error("the reader has left")),
  );
  const finish = (): void => signal.removeEventListener("abort", onAbort);
  if (signal.aborted) return Promise.reject(signal.reason as Error);
  signal.addEventListener("abort", onAbort, { once: true });
  dispatcher.dispatch(options, {
    onRequestStart(started) {
      controller = started;
      if (signal.aborted) started.abort(signal.reason as Error);
    },
    onResponseStart(_, status, headers) {
      // What comes before the answer (103 and the like) is not it.
      if (status >= 200) resolve({ status, headers: flat(headers), body: pieces.body });
    },
    onResponseData(started, piece) {
      if (!pieces.put(piece)) started.pause();
    },
    onResponseEnd() {
      finish();
      pieces.end();
    },
    onResponseError(_, reason) {
      finish();
      pieces.fail(reason);
      reject(reason);
    },
  });
  return promise;
}

function flat(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.join(", ") : (value ?? ""),
    ]),
  );
}
