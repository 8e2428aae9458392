/** Names that always mean this very computer. Any port: an SSH tunnel may end at another one than ours. */
const LOOPBACK_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i;

/**
 * Whether a request was addressed to this computer by a loopback name. A page of the internet whose name was made to
 * point here (DNS rebinding) still says its own name in `Host`.
 */
export function isLoopbackHost(host: string | undefined): host is string {
  return host !== undefined && LOOPBACK_HOST.test(host);
}

/** Whether a page of our own asks: its origin is the very address that the request went to. */
export function isOwnOrigin(origin: string | undefined, host: string): boolean {
  return origin?.toLowerCase() === `http://${host.toLowerCase()}`;
}

/** What a shell may listen on. The page is for the people who can log in here, not for a network. */
const LISTEN_ADDRESSES: Readonly<Record<string, string>> = {
  localhost: "127.0.0.1",
  "127.0.0.1": "127.0.0.1",
  "::1": "::1",
  "[::1]": "::1",
};

/** The address to listen on; null for one that others than this computer could reach. */
export function listenAddress(host: string): string | null {
  return Object.hasOwn(LISTEN_ADDRESSES, host) ? LISTEN_ADDRESSES[host]! : null;
}
