/** A proxy that the environment names for requests to an address. */
interface EnvironmentProxy {
  /** The variable that names it. */
  readonly variable: string;
  /** Address of an HTTP or SOCKS 5 proxy, possibly with a password. */
  readonly address: string;
}

/** A variable does not contain the address of a proxy. The message is for the user and contains no password. */
export class ProxyAddressError extends Error {
  override readonly name = "ProxyAddressError";
}

type Environment = Readonly<Record<string, string | undefined>>;

const HTTP_VARIABLES = ["http_proxy", "HTTP_PROXY"];
const HTTPS_VARIABLES = ["https_proxy", "HTTPS_PROXY"];
const EXAMPLE = "http://proxy.example.org:3128";
const SUPPORTED = /^(?:https?|socks|socks5h?):$/;

/** Whether a variable names a proxy, so that the proxy of the system is not used. */
export function hasEnvironmentProxy(env: Environment = process.env): boolean {
  return [...HTTPS_VARIABLES, ...HTTP_VARIABLES].some((name) => env[name]);
}

/**
 * Returns the proxy for a request, null for a direct connection. As other programs do: `NO_PROXY` lists hosts to contact
 * directly, lower-case names take precedence, and without `HTTPS_PROXY`, `HTTP_PROXY` is for https too.
 *
 * @throws ProxyAddressError
 */
export function environmentProxy(url: URL, env: Environment = process.env): EnvironmentProxy | null {
  const names = url.protocol === "https:" ? [HTTPS_VARIABLES, HTTP_VARIABLES] : [HTTP_VARIABLES];
  const set = names.map((spellings) => firstSet(spellings, env)).find((found) => found && found.text !== "");
  if (!set || isExcluded(url, env["no_proxy"] ?? env["NO_PROXY"] ?? "")) return null;
  return { variable: set.variable, address: proxyAddress(set.text.trim(), set.variable) };
}

/** The first of these variables that is set, even if to nothing. */
function firstSet(variables: readonly string[], env: Environment) {
  for (const variable of variables) {
    const text = env[variable];
    if (text !== undefined) return { variable, text };
  }
  return null;
}

/** The address of a proxy as undici takes it. @throws ProxyAddressError */
export function proxyAddress(text: string, variable: string): string {
  const [, scheme = "", rest = ""] = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(.*)$/is.exec(text) ?? [];
  if (scheme === "") {
    const host = /^[\w.-]+(?::\d{1,5})?\/?$|^\[[0-9a-f:.]+\](?::\d{1,5})?\/?$/i.exec(
      rest.slice(rest.lastIndexOf("@") + 1),
    );
    if (host === null)
      throw new ProxyAddressError(`${variable} is not the address of a proxy. Write it as ${EXAMPLE}.`);
    const user = rest.includes("@") ? `http://USER:PASSWORD@${host[0]}` : `http://${host[0]}`;
    throw new ProxyAddressError(`The address of the proxy in ${variable} has no scheme. Write it as ${user}.`);
  }
  if (!SUPPORTED.test(`${scheme.toLowerCase()}:`))
    throw new ProxyAddressError(
      `${variable} names a proxy of the type ${scheme}, which is not supported. Write the address of an HTTP or SOCKS 5 proxy, for example ${EXAMPLE} or socks5://proxy.example.org:1080.`,
    );
  const address = `${/^socks/i.test(scheme) ? "socks5" : scheme.toLowerCase()}://${rest}`;
  if (!URL.canParse(address) || new URL(address).hostname === "")
    throw new ProxyAddressError(
      `${variable} is not the address of a proxy. Write it as ${EXAMPLE}. A user name or password with special characters is percent-encoded.`,
    );
  return address;
}

/** Whether a list such as `localhost,.example.org,*.example.net:8080,[::1]` contains the host of an address. */
function isExcluded(url: URL, list: string): boolean {
  const host = url.hostname
    .replace(/^\[(.+)\]$/, "$1")
    .replace(/(.)\.$/, "$1")
    .toLowerCase();
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return list.split(/[,\s]+/).some((entry) => {
    const parts = /^\[(?<bare>.+)\](?::(?<barePort>\d+))?$|^(?<name>[^:]*):(?<namePort>\d+)$/.exec(entry)?.groups;
    const name = (parts?.["bare"] ?? parts?.["name"] ?? entry).toLowerCase();
    const ownPort = parts?.["barePort"] ?? parts?.["namePort"];
    if (name === "" || (ownPort !== undefined && ownPort !== port)) return false;
    const suffix = name.replace(/^\*?\./, "").replace(/(.)\.$/, "$1");
    return name === "*" || (!name.startsWith("*") && host === suffix) || host.endsWith(`.${suffix}`);
  });
}
