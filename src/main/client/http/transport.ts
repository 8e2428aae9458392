import { Agent, type Dispatcher, EnvHttpProxyAgent, ProxyAgent } from "undici";
import type { Transport, TransportResponse } from "../types.ts";
import { isLoopback } from "./baseUrl.ts";
import { isUntrusted } from "../errors/lost.ts";
import { createBodyQueue } from "./bodyQueue.ts";
import tls from "node:tls";

/** For each thread has certificates of its own. */
let isTrusted = false;

/**
 * Trusts whom the system trusts, beside those that Node brings: behind a proxy that looks into encrypted traffic only the
 * system knows who issues certificates. Reading them takes a tenth of a second and more, so that it is done for the one
 * who needs them.
 *
 * @returns whether anything changed
 */
function trustSystem(): boolean {
  if (isTrusted) return false;
  isTrusted = true;
  tls.setDefaultCACertificates([...tls.getCACertificates("default"), ...tls.getCACertificates("system")]);
  return true;
}

/** A transport with the connections it keeps. */
export interface OwnedTransport {
  readonly send: Transport;
  close(): Promise<void>;
}

export interface TransportOptions {
  /** The system's proxy for an origin, as the address of an HTTP or SOCKS 5 proxy; null for a direct way. May be asked often. */
  readonly proxyFor?: (origin: string) => Promise<string | null>;
}

const CONNECT_TIMEOUT_MS = 20_000;
/** So many remarks (103 and the like) may come before an answer; one who sends them without end never answers. */
const MOST_REMARKS = 100;
const PROXY_VARIABLES = ["HTTPS_PROXY", "HTTP_PROXY", "https_proxy", "http_proxy"];

/**
 * The default transport: undici, with a pool of kept connections. It honours HTTPS_PROXY, HTTP_PROXY and NO_PROXY, and
 * where none of them is set the proxy of the system, if it is told; but never for this computer: a proxy has no
 * business there. It trusts whom Node and the system trust. It follows no redirect, keeps no cookies, retries nothing, logs nothing; waiting times are the
 * caller's.
 */
export function createTransport({ proxyFor }: TransportOptions = {}): OwnedTransport {
  const options: Agent.Options = {
    // HTTP/1.1 throughout: one body per connection, so that a slow one never holds up another.
    allowH2: false,
    connect: { timeout: CONNECT_TIMEOUT_MS },
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  const direct = new Agent(options);
  let environment: Dispatcher | null = null;
  const system = new Map<string, Dispatcher>();

  // Made when first needed, so that a malformed proxy address is the error of a request.
  async function dispatcherFor(url: URL): Promise<Dispatcher> {
    if (isLoopback(url)) return direct;
    if (!proxyFor || PROXY_VARIABLES.some((name) => process.env[name]))
      return (environment ??= new EnvHttpProxyAgent(options));
    // Asked each time: a notebook changes networks, and with them proxies.
    const address = await proxyFor(url.origin);
    if (address === null) return direct;
    const agent = system.get(address) ?? new ProxyAgent({ ...options, uri: address });
    system.set(address, agent);
    return agent;
  }

  return {
    async send({ method, url, headers, body, signal }): Promise<TransportResponse> {
      const send = async (): Promise<TransportResponse> =>
        exchange(
          await dispatcherFor(url),
          { origin: url.origin, path: url.pathname + url.search, method, headers: { ...headers }, body },
          signal,
        );
      try {
        return await send();
      } catch (thrown) {
        if (isUntrusted(thrown) && trustSystem()) return send();
        throw thrown;
      }
    },
    async close() {
      await Promise.all([direct, environment, ...system.values()].map(async (agent) => agent?.destroy()));
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
    queue.fail(reason);
    reject(reason);
    controller?.abort(reason);
  };
  const onAbort = (): void => abort(signal.reason as Error);
  const queue = createBodyQueue(
    () => controller?.resume(),
    () => abort(new Error("the reader has left")),
  );
  let remarks = 0;
  const finish = (): void => signal.removeEventListener("abort", onAbort);
  if (signal.aborted) return Promise.reject(signal.reason as Error);
  signal.addEventListener("abort", onAbort, { once: true });
  dispatcher.dispatch(options, {
    onRequestStart(started) {
      controller = started;
      if (signal.aborted) started.abort(signal.reason as Error);
    },
    onResponseStart(_, status, headers) {
      if (status < 200 && ++remarks > MOST_REMARKS) abort(new Error(`${MOST_REMARKS} times ${status}, and no answer`));
      else if (status >= 200) resolve({ status, headers: flat(headers), body: queue.body });
    },
    onResponseData(started, piece) {
      if (!queue.put(piece)) started.pause();
    },
    onResponseEnd() {
      finish();
      queue.end();
    },
    onResponseError(_, reason) {
      finish();
      queue.fail(reason);
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
