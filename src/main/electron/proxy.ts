/**
 * The first way out of the answer of a proxy resolver (`PROXY a:3128; DIRECT`), as the address of an HTTP proxy; null
 * for a direct way, and for kinds of proxies that HTTP requests cannot use.
 */
export function proxyAddress(resolved: string): string | null {
  const [kind = "", host = ""] = (resolved.split(";")[0] ?? "").trim().split(/\s+/);
  const scheme = { PROXY: "http", HTTP: "http", HTTPS: "https" }[kind.toUpperCase()];
  if (scheme === undefined || !/^[A-Za-z0-9.:[\]_-]+$/.test(host)) return null;
  const address = `${scheme}://${host}`;
  return URL.canParse(address) ? new URL(address).href : null;
}
