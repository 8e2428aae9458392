import { defined } from "#shared/defined.ts";
import { type CatalogueStation, SORT_ORDERS, STATION_SORT_KEYS } from "#shared/service/catalogue.ts";
import { searcher, searchTexts } from "#shared/station/search.ts";
import { formatUtcShort } from "#shared/time/utc.ts";
import { removedOfGroups } from "../../app/stations/find.ts";
import { findNetworks } from "../../app/stations/networks.ts";
import { choice, command, read, type Values } from "../command.ts";
import { EXIT, usage } from "../exit.ts";
import { cachedCatalogue, catalogueAge, freshCatalogue, namedStations, noteUnlisted } from "../options/selection.ts";
import { isInside, parseBoundingBox, sortStations } from "../options/stations.ts";
import { orStop } from "../shell.ts";
import { amount, type Columns, extra, moment, shrinking } from "../terminal/table.ts";
import { many, minuteText, visible } from "../terminal/text.ts";
import { silentSentence, silentStations } from "#shared/schedule/silence.ts";
import { STATIONS } from "../options/options.ts";
import { parseDuration } from "../options/parse.ts";

const WORDS = {
  "--country <codes...>": "only these countries (ISO 3166-1: FI EE)",
  "--network <codes...>": "only these networks, by code or id",
  "--bbox <box>": read(
    "only in this box, degrees: LATMIN,LONMIN,LATMAX,LONMAX; LONMAX < LONMIN if it crosses 180°",
    parseBoundingBox,
  ),
  "--sort <key>": choice("sort key (default: name)", STATION_SORT_KEYS),
  "--order <order>": choice("ascending or descending (default: asc)", SORT_ORDERS),
  "--search <words>": "only with all of these words in name, place, country, network or id; accents do not count",
  "--refresh": "request the list even if the saved one is recent",
  "--offline": "use only the saved list, whatever its age; sends nothing",
};
type StationsValues = Values<typeof WORDS>;

export const addStations = command({
  description:
    "Lists the reference stations that your organization may use: name, place, network, kind of receiver, seconds " +
    "between observations, first and latest measurement (UTC), heights in metres above the WGS 84 ellipsoid and above the " +
    "EGM2008 geoid, position (degrees, blurred by the service) and id. If the service is unreachable or the key cannot be used, shows the saved list and its age.",
  words: WORDS,
  examples: [
    ["stations --country FI EE", "Finland and Estonia"],
    ['stations --search "finland norda"', "by words of name, place, country or network"],
    ["stations --bbox 59,19,71,32 --sort data_last_updated --order desc", "in a box, newest data first"],
    ["stations --json | jq -r '.stations[].id'", "for machines"],
  ],
  async run(shell, values) {
    const { output } = shell;
    const odd = values.country?.find((code) => !/^[a-z]{2}$/i.test(code));
    if (odd !== undefined) throw usage(`“${odd}” is not a country code. Write two letters, for example FI.`);
    const connection = await shell.connection();
    const catalogue = values.offline
      ? cachedCatalogue(shell, connection)
      : await freshCatalogue(shell, connection, values.refresh ?? false);
    const networkIds = values.network && orStop(findNetworks(catalogue, values.network));
    const isFound = searcher(values.search ?? "");
    const found = (among: readonly CatalogueStation[]): CatalogueStation[] => {
      const texts = values.search === undefined ? [] : searchTexts(among, catalogue.networks);
      const chosen = among.filter(
        (s, place) => matches(s, values, networkIds) && (values.search === undefined || isFound(defined(texts[place]))),
      );
      return values.sort || values.order ? sortStations(chosen, values.sort ?? "name", values.order ?? "asc") : chosen;
    };
    const [stations, withdrawn] = [found(catalogue.stations), found(catalogue.withdrawn)];
    output.document("stations", { fetchedAtMs: catalogue.fetchedAtMs, stations, withdrawn });
    output.table(stations, COLUMNS);
    const unplaced = values.bbox ? catalogue.stations.filter((s) => s.latitudeDeg === null).length : 0;
    if (unplaced > 0) output.note(`${many(unplaced, "station")} without a position for this key left out.`);
    for (const { displayName, id } of withdrawn)
      output.note(`${displayName} (${id}) is no longer listed by the service. Its cached data remain available.`);
    const shown = `${many(stations.length, "station")}${stations.length < catalogue.stations.length ? ` of ${catalogue.stations.length}` : ""}`;
    output.note(`${shown}; the catalogue is ${catalogueAge(connection, catalogue)} old.`);
  },
});

function isOneOf(value: string, wanted: readonly string[] | undefined): boolean {
  return wanted === undefined || wanted.some((w) => w.toLowerCase() === value.toLowerCase());
}

function matches(
  station: CatalogueStation,
  values: StationsValues,
  networkIds: ReadonlySet<string> | undefined,
): boolean {
  return (
    isOneOf(station.countryCode, values.country) &&
    (networkIds === undefined || networkIds.has(station.networkId)) &&
    (values.bbox === undefined || isInside(station, values.bbox))
  );
}

const fixed =
  (digits: number) =>
  (value: number): string =>
    value.toFixed(digits);

const COLUMNS: Columns<CatalogueStation> = {
  Station: shrinking((s) => s.displayName),
  Place: shrinking((s) => s.locationAlias),
  In: (s) => s.countryCode,
  Network: (s) => s.networkCode,
  "Latest (UTC)": moment((s) => s.dataLastUpdatedMs),
  From: extra({
    ...moment<CatalogueStation>((s) => s.historicDataFromMs),
    cell: (s) => (s.historicDataFromMs === null ? "no data" : formatUtcShort(s.historicDataFromMs).slice(0, 10)),
  }),
  Every: extra(
    amount(
      (s) => s.resolutionSeconds,
      (seconds) => (seconds === 0 ? "native" : `${seconds} s`),
      "s",
    ),
  ),
  Source: extra((s) => s.sourceType),
  "Ellips. m": extra(amount((s) => s.ellipsoidalHeight, fixed(1), "m")),
  "Geoid m": extra(amount((s) => s.orthometricHeight, fixed(1), "m")),
  "Lat °": extra(amount((s) => s.latitudeDeg, fixed(4), "deg")),
  "Lon °": extra(amount((s) => s.longitudeDeg, fixed(4), "deg")),
  Id: extra((s) => s.id),
};

export const addNetworks = command({
  description:
    "Lists the networks that your organization can use, with their number of stations. Use the code in " +
    "“network:CODE” to select stations.",
  words: {
    "--refresh": "request the list even if the saved one is recent",
    "--offline": "use only the saved list; sends nothing",
  },
  examples: [
    ["networks", ""],
    ["stations --network NORDA", "the stations of one"],
  ],
  async run(shell, { refresh, offline }) {
    const { output } = shell;
    const connection = await shell.connection();
    const { networks, stations, fetchedAtMs } = offline
      ? cachedCatalogue(shell, connection)
      : await freshCatalogue(shell, connection, refresh ?? false);
    const counted = networks.map((network) => ({
      ...network,
      stations: stations.filter((s) => s.networkId === network.id).length,
    }));
    output.document("networks", { fetchedAtMs, networks: counted });
    output.table(counted, {
      Code: (n) => n.code,
      Name: shrinking((n) => n.name),
      Stations: amount((n) => n.stations),
      Owner: (n) => (n.isOwner ? "yours" : ""),
      Visibility: (n) => n.visibility ?? "",
    });
    output.note(many(networks.length, "network"));
  },
});

export const addWatch = command({
  description:
    "Requests the catalogue and lists the stations whose newest measurement is older than a time. The exit code is 3 if there " +
    "is one, so that a script or a cron job can raise an alarm; “schedule add --silent” does it at each run.",
  words: {
    ...STATIONS,
    "--silent <duration>": read("how long a station may send nothing", parseDuration, "2h"),
  },
  examples: [
    ["watch Kallio --silent 2h", "exit code 3 if Kallio is silent"],
    ["watch all", "all stations"],
  ],
  async run(shell, { stations: words, silent: silentSeconds }) {
    const connection = await shell.connection();
    const app = await shell.app();
    const catalogue = orStop(await app.catalogue(connection, true, shell.signal));
    const named = namedStations(connection, catalogue, words).map((station) => station.id);
    const stationIds = [...named, ...removedOfGroups(catalogue, words, connection.groups?.())];
    const limitMs = silentSeconds * 1_000;
    const silent = silentStations(catalogue, stationIds, limitMs, connection.session.serverNowMs());
    shell.output.document("watch", { stations: stationIds.length, silentSeconds, silent });
    noteUnlisted(shell, connection, words);
    if (silentSentence(silent, limitMs) === null) return shell.output.print("No station is silent.");
    shell.output.table(silent, {
      "Silent station": (s) => visible(s.displayName),
      "Newest measurement": (s) => (s.lastMs === null ? "unknown" : minuteText(s.lastMs)),
      Id: (s) => s.stationId,
    });
    return EXIT.incomplete;
  },
});
