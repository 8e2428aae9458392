import { isPlainHttp, PLAIN_HTTP_SENTENCE } from "#shared/addresses.ts";
import { failure, success } from "#shared/service/error.ts";
import type { App } from "../../app.ts";
import { SETTLING } from "../../app/connections/connectionRecords.ts";
import { certificateFileProblem, readBaseUrl } from "../../client/index.ts";
import type { NetworkRoute } from "../../client/types.ts";
import { command, type Parsed, read, type Values } from "../command.ts";
import { EXIT, Stop, usage } from "../exit.ts";
import { givenKey, missingKey, typedKey } from "../key.ts";
import { parseWait } from "../options/options.ts";
import { shellWord, userPath } from "../options/paths.ts";
import { orStop, type Shell } from "../shell.ts";
import { askSecret } from "../terminal/prompt.ts";
import { shrinking } from "../terminal/table.ts";
import { many } from "../terminal/text.ts";

const WORDS = {
  "[url]": "address of the service, as https://gnss.example.org",
  "--name <name>": "name of the connection (default: the one of this address, else the host's name)",
  "--allow-plain-http": "send this key unencrypted to an http:// address",
  "--same-organization": "accept a key that cannot see all stations with cached data: they have closed",
  "--proxy <address>": read(
    "of this connection, also for installed schedules: http://proxy.example.org:8080, none, or system (default)",
    parseProxy,
  ),
  "--ca <file>": "certificates of authorities to trust as well (PEM), also for installed schedules; none removes it",
  "--settle-after <duration>": read(
    "for how long data may arrive late: until then, missing data may still arrive (default: 48h)",
    parseWait,
  ),
  "--remove <name>": "delete a connection without schedules, its key, jobs, saved exports and cache",
};
type ConnectValues = Values<typeof WORDS>;

export const addConnect = command({
  description:
    "Tests the address of a service and an API key with one small request, and saves both if they work. The key " +
    "comes from ZENITH_API_KEY, from --key-file (mode 0600), or from a prompt without echo; it is never an " +
    "argument. It is stored in a file of mode 0600 and sent only to this address. Each connection has its own " +
    "cache. Without an address, lists the connections.",
  words: WORDS,
  examples: [
    ["connect https://gnss.example.org", "asks for the key"],
    ["connect https://gnss.example.org --key-file ~/.gnss-key", "reads it from a file"],
    [
      "connect https://gnss.example.org --proxy http://proxy.example.org:8080 --ca /etc/ssl/office.pem",
      "behind a proxy",
    ],
    ["connect", "lists the connections"],
    ["connect --remove gnss.example.org", "deletes one"],
  ],
  async run(shell, values) {
    if (values.remove !== undefined) return remove(shell, values.remove);
    return values.url === undefined ? list(shell) : add(shell, values.url, values);
  },
});

function parseProxy(text: string): Parsed<string> {
  const word = text.trim();
  if (word === "none" || word === "system") return success(word);
  const scheme = URL.parse(word)?.protocol ?? "";
  return /^(https?|socks5?):$/.test(scheme)
    ? success(word)
    : failure(`“${text}” is not a proxy. Write http://proxy.example.org:8080, none or system.`);
}

/** The proxy and certificates as the options set them; absent without an option, which keeps what is stored. @throws Stop */
function routeOf({ proxy, ca }: ConnectValues): Partial<NetworkRoute> {
  const caFile = ca === undefined || ca === "none" ? null : userPath(ca);
  const problem = caFile === null ? null : certificateFileProblem(caFile);
  if (problem !== null) throw new Stop(EXIT.disk, problem);
  return {
    ...(proxy === undefined ? {} : { proxy: proxy === "system" ? null : proxy }),
    ...(ca === undefined ? {} : { caFile }),
  };
}

async function add(shell: Shell, url: string, options: ConnectValues): Promise<void> {
  const { allowPlainHttp = false, sameOrganization = false } = options;
  const { output } = shell;
  const route = routeOf(options);
  const address = readBaseUrl(url);
  if (!address.ok) throw usage(address.error);
  const baseUrl = address.value.origin + address.value.path;
  // Checked before the key is requested.
  if (isPlainHttp(baseUrl)) {
    if (!allowPlainHttp)
      throw usage(`${PLAIN_HTTP_SENTENCE}. If it has not, allow that with --allow-plain-http. Nothing was sent.`);
    output.warn("The API key is sent unencrypted to this address: anyone on the network path can read it.");
  }
  const key = (await givenKey(shell.keyFile)) ?? (await promptForKey(baseUrl, shell.signal));
  const app = await shell.app({ mayCreate: true });
  const name = options.name ?? (await nameOf(app, baseUrl));
  const { proxy = null, caFile = null } = app.connections.find(name) ?? {};
  const given = { apiKey: key, allowsPlainHttp: allowPlainHttp, isSameOrganization: sameOrganization };
  const entered = { ...given, route: { proxy, caFile, ...route } };
  const { stations } = orStop(await app.connections.test(baseUrl, entered, shell.signal));
  const connection = orStop(await app.connections.add(name, baseUrl, entered, shell.signal));
  if (options.settleAfter !== undefined) {
    const marginMs = options.settleAfter * 1_000;
    if (marginMs > SETTLING.maxMs) throw usage("--settle-after can be 60 days at most.");
    app.connections.setSettlingMargin(connection.id, marginMs);
  }
  output.document("connect", { connection, stations });
  output.print(`Connected: “${connection.name}” at ${baseUrl} shows ${many(stations, "station")}.`);
  output.note(`Next: ${shell.suggest(`stations --connection ${shellWord(connection.name)}`)}`);
}

/** The name of the connection that an address without a name means. @throws Stop if several have the address */
async function nameOf({ connections }: App, baseUrl: string): Promise<string> {
  const { hostname } = new URL(baseUrl);
  const names = (await connections.list()).filter((c) => c.baseUrl === baseUrl).map(({ name }) => name);
  if (names.includes(hostname)) return hostname;
  if (names.length < 2) return names[0] ?? hostname;
  throw usage(
    `Several connections have this address: ${names.map((n) => `“${n}”`).join(", ")}. Choose one with --name.`,
  );
}

async function promptForKey(baseUrl: string, signal: AbortSignal): Promise<string> {
  if (process.stdin.isTTY) return typedKey(await askSecret(`API key for ${baseUrl} (hidden): `, signal));
  throw missingKey();
}

async function list(shell: Shell): Promise<void> {
  const app = await shell.app();
  const connections = await app.connections.list();
  for (const { name } of connections) {
    const damage = app.connections.find(name)?.damage;
    if (damage !== undefined) shell.output.warn(`“${name}”: ${damage}`);
  }
  shell.output.document("connect", { connections });
  shell.output.table(
    connections,
    {
      Name: (c) => c.name,
      Address: shrinking((c) => (c.kind === "demo" ? "(embedded service)" : c.baseUrl)),
      Key: (c) => (c.hasKey ? "stored" : "none"),
    },
    `There is no connection yet. Add one: ${shell.suggest("connect https://gnss.example.org")}`,
  );
}

async function remove(shell: Shell, name: string): Promise<void> {
  const { connections, schedules } = await shell.app();
  const record = connections.find(name);
  if (!record) throw usage(`There is no connection “${name}”.`);
  const own = schedules.list().filter(({ schedule }) => schedule.connectionId === record.id);
  if (own.length > 0)
    throw usage(
      `“${record.name}” has ${many(own.length, "schedule")}, whose history would be lost: ` +
        `${own.map(({ schedule }) => `“${schedule.name}”`).join(", ")}. Remove them first with “schedule remove”. Nothing was deleted.`,
    );
  await connections.remove(record.id);
  shell.output.document("connect", { removed: record.name });
  shell.output.print(`Deleted “${record.name}” with its key, its jobs, its saved exports and its cache.`);
}
