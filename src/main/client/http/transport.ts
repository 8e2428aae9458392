import { readFileSync } from "node:fs";
import tls from "node:tls";
import type { Agent, Dispatcher, Pool, ProxyAgent } from "undici";
import { messageOf } from "#shared/fault.ts";
import type { NetworkRoute, Transport, TransportResponse } from "../types.ts";
import { isLoopback } from "./baseUrl.ts";
import { withoutInterim } from "./interim.ts";
import { CertificateFileError, isUntrusted, ThroughProxyError } from "../errors/transportError.ts";
import { environmentProxy, hasEnvironmentProxy, proxyAddress } from "./environmentProxy.ts";

/** Per thread, like the certificates. */
let isTrusted = false;

/**
 * Adds the system's certificate authorities to those of Node: behind a proxy that inspects encrypted traffic, only the
 * system knows the issuer. Reading them takes a tenth of a second or more, so it is done only when a certificate was
 * refused.
 *
 * @returns whether anything changed
 */
function trustSystem(): boolean {
  if (isTrusted) return false;
  isTrusted = true;
  tls.setDefaultCACertificates([...tls.getCACertificates("default"), ...tls.getCACertificates("system")]);
  return true;
}

/** The authorities of Node, of the system and of a file. @throws CertificateFileError */
function trustedWith(caFile: string): string[] {
  const problem = certificateFileProblem(caFile);
  if (problem !== null) throw new CertificateFileError(problem);
  return [...tls.getCACertificates("default"), ...tls.getCACertificates("system"), readFileSync(caFile, "utf8")];
}

/** Why a file has no certificates of authorities; null if it has. */
export function certificateFileProblem(caFile: string): string | null {
  try {
    if (readFileSync(caFile, "utf8").includes("-----BEGIN CERTIFICATE-----")) return null;
    return `${caFile} has no certificate in PEM form (-----BEGIN CERTIFICATE-----).`;
  } catch (thrown) {
    return `The certificates in ${caFile} cannot be read: ${messageOf(thrown)}.`;
  }
}

/** A transport and its pool of connections. */
interface OwnedTransport {
  readonly send: Transport;
  close(): Promise<void>;
}

export interface TransportOptions extends Partial<NetworkRoute> {
  /** The system's proxy for an origin, as the address of an HTTP or SOCKS 5 proxy; null for a direct connection. Called for every request. */
  readonly proxyFor?: (origin: string) => Promise<string | null>;
}

const CONNECT_TIMEOUT_MS = 20_000;
/** Maximum number of informational responses (103 and the like) before the final one. */
const MAX_INFORMATIONAL = 100;

/** A connection to the service: direct, or through a proxy. */
interface Route {
  readonly dispatcher: Dispatcher;
  readonly proxy: { readonly address: string; readonly variable: string | null } | null;
}

/**
 * Creates the default transport: undici, with a pool of connections. It honours HTTPS_PROXY, HTTP_PROXY and NO_PROXY, and
 * if none of them is set the proxy of the system, if given; but never for this computer. It trusts the authorities of
 * Node and of the system. A route of the connection replaces both. It follows no redirect, keeps no cookies, retries nothing and logs nothing; timeouts are the
 * caller's.
 */
export function createTransport({ proxyFor, proxy, caFile }: TransportOptions = {}): OwnedTransport {
  // Read with the first request, so that an unreadable file is the error of a request.
  const optionsOf = (): Agent.Options & Pick<ProxyAgent.Options, "requestTls" | "proxyTls"> => {
    const trust = caFile ? { ca: trustedWith(caFile) } : {};
    return {
      // HTTP/1.1 throughout: one body per connection, so that a slow one never delays another.
      allowH2: false,
      connect: { timeout: CONNECT_TIMEOUT_MS, ...trust },
      headersTimeout: 0,
      bodyTimeout: 0,
      ...(caFile ? { requestTls: trust, proxyTls: trust } : {}),
    };
  };
  /** By the address of the proxy; null: direct. */
  const agents = new Map<string | null, Dispatcher>();
  let isClosed = false;

  // For every request, so that a malformed proxy address is the error of a request, and because a notebook changes
  // networks, and with them proxies.
  async function proxyTo(url: URL): Promise<Route["proxy"]> {
    if (isLoopback(url) || proxy === "none") return null;
    if (proxy)
      return { address: proxyAddress(proxy, "--proxy of the connection"), variable: "--proxy of the connection" };
    if (proxyFor === undefined || hasEnvironmentProxy()) return environmentProxy(url);
    const address = await proxyFor(url.origin);
    return address ? { address, variable: null } : null;
  }

  async function routeTo(url: URL): Promise<Route> {
    const proxy = await proxyTo(url);
    // With the first request: many commands read only the cache, and loading undici takes a tenth of their time.
    const undici = await import("undici");
    if (isClosed) throw new Error("the transport is closed");
    const address = proxy?.address ?? null;
    const factory = (origin: string | URL, options: object): Dispatcher => {
      const { connect } = options as Pool.Options;
      const connector = typeof connect === "function" ? connect : undici.buildConnector({ allowH2: false, ...connect });
      return new undici.Pool(origin, { ...options, connect: withoutInterim(connector) });
    };
    const create = (): Dispatcher =>
      address === null
        ? new undici.Agent({ ...optionsOf(), factory })
        : new undici.ProxyAgent({ ...optionsOf(), factory, uri: address });
    const dispatcher = agents.get(address) ?? create();
    agents.set(address, dispatcher);
    return { dispatcher, proxy };
  }

  return {
    async send({ method, url, headers, body, signal }): Promise<TransportResponse> {
      const { dispatcher, proxy } = await routeTo(url);
      const send = (): Promise<TransportResponse> =>
        exchange(
          dispatcher,
          { origin: url.origin, path: url.pathname + url.search, method, headers: { ...headers }, body },
          signal,
        );
      try {
        return await send().catch((thrown: unknown) => {
          if (isUntrusted(thrown) && trustSystem()) return send();
          throw thrown;
        });
      } catch (thrown) {
        if (proxy === null || signal.aborted) throw thrown;
        throw new ThroughProxyError(new URL(proxy.address).host, proxy.variable, thrown);
      }
    },
    async close() {
      isClosed = true;
      await Promise.all([...agents.values()].map((agent) => agent.destroy()));
    },
  };
}

/** Sends one request directly on the dispatcher: `undici.request` would put a stream between the socket and the reader. */
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
  const queue = new BodyQueue(
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
      if (status < 200 && ++remarks > MAX_INFORMATIONAL)
        abort(new Error(`${MAX_INFORMATIONAL} times ${status}, and no answer`));
      else if (status >= 200) resolve({ status, headers: flat(headers), body: queue.body });
    },
    onResponseData(started, chunk) {
      if (!queue.push(chunk)) started.pause();
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

/** Queued bytes above which the socket should pause. */
const HIGH_WATER_BYTES = 512 * 1024;

/** The chunks of a body between the socket and the reader. */
class BodyQueue {
  readonly #onDrain: () => void;
  readonly #onCancel: () => void;
  #queue: Uint8Array[] = [];
  #bytes = 0;
  #isFull = false;
  #ended: { readonly reason: unknown; readonly failed: boolean } | null = null;
  #wake: (() => void) | null = null;
  readonly body: AsyncIterable<Uint8Array>;

  /**
   * Creates a queue without the overhead of a stream: no chunk is copied or joined with another, which matters when a
   * million rows arrive in less than a second.
   *
   * @param onDrain called when a full queue is empty again
   * @param onCancel called when the reader stops before the end
   */
  constructor(onDrain: () => void, onCancel: () => void) {
    this.#onDrain = onDrain;
    this.#onCancel = onCancel;
    this.body = this.#read();
  }

  /** Adds a chunk from the socket; returns false if the socket should pause until `onDrain` is called. */
  push(chunk: Uint8Array): boolean {
    this.#queue.push(chunk);
    this.#bytes += chunk.length;
    this.#isFull ||= this.#bytes > HIGH_WATER_BYTES;
    this.#notify();
    return !this.#isFull;
  }

  end(): void {
    this.#ended ??= { failed: false, reason: null };
    this.#notify();
  }

  fail(reason: unknown): void {
    this.#ended ??= { failed: true, reason };
    this.#notify();
  }

  #notify(): void {
    this.#wake?.();
    this.#wake = null;
  }

  async *#read(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const taken = this.#queue;
        this.#queue = [];
        for (const chunk of taken) {
          this.#bytes -= chunk.length;
          yield chunk;
        }
        if (this.#queue.length > 0) continue;
        if (this.#isFull) {
          this.#isFull = false;
          this.#onDrain();
        } else if (this.#ended?.failed) throw this.#ended.reason;
        else if (this.#ended) return;
        else {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        }
      }
    } finally {
      if (this.#ended === null) this.#onCancel();
    }
  }
}
