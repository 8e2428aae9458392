import { Agent, type Dispatcher, EnvHttpProxyAgent } from "undici";
import type { Transport, TransportResponse } from "../types.ts";
import { isLoopback } from "./baseUrl.ts";

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
      const answer = await dispatcher.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method,
        headers: { ...headers },
        body,
        signal,
      });
      return { status: answer.statusCode, headers: flat(answer.headers), body: answer.body };
    },
    async close() {
      await Promise.all([direct.destroy(), proxied?.destroy()]);
    },
  };
}

function flat(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.join(", ") : (value ?? ""),
    ]),
  );
}
