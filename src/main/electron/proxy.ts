/**
 * The first entry of a proxy resolver's result (`PROXY a:3128; DIRECT`), as the address of an HTTP or SOCKS 5 proxy; null
 * for a direct connection and unsupported proxies (SOCKS 4).
 */
export function proxyAddress(resolved: string): string | null {
  const [kind = "", host = ""] = (resolved.split(";")[0] ?? "").trim().split(/\s+/);
  const scheme = { PROXY: "http", HTTP: "http", HTTPS: "https", SOCKS5: "socks5" }[kind.toUpperCase()];
  if (scheme === undefined || !/^[A-Za-z0-9.:[\]_-]+$/.test(host)) return null;
  const address = `${scheme}://${host}`;
  return URL.canParse(address) ? new URL(address).href : null;
}
