/** Names of this computer. With any port, because an SSH tunnel may use another one. */
const LOOPBACK_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i;

/**
 * Whether a request was addressed to this computer by a loopback name. After DNS rebinding, a page from the internet still
 * sends its own name in `Host`.
 */
export function isLoopbackHost(host: string | undefined): host is string {
  return host !== undefined && LOOPBACK_HOST.test(host);
}

/** Whether our own page sent a request: its origin is the address of the request. */
export function isOwnOrigin(origin: string | undefined, host: string): boolean {
  return origin?.toLowerCase() === `http://${host.toLowerCase()}`;
}

/** Addresses to listen on. The page is for users of this computer, not for a network. */
const LISTEN_ADDRESSES: ReadonlyMap<string, string> = new Map([
  ["localhost", "127.0.0.1"],
  ["127.0.0.1", "127.0.0.1"],
  ["::1", "::1"],
  ["[::1]", "::1"],
]);

/** The address to listen on; null if other computers could reach it. */
export function listenAddress(host: string): string | null {
  return LISTEN_ADDRESSES.get(host) ?? null;
}
