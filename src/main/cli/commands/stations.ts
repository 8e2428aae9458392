import { Option } from "commander";
import { defined } from "#shared/defined.ts";
import {
  type CatalogueStation,
  SORT_ORDERS,
  type SortOrder,
  STATION_SORT_KEYS,
  type StationSortKey,
} from "#shared/service/catalogue.ts";
import { searcher, searchTexts } from "#shared/station/search.ts";
import { formatUtcShort } from "#shared/time/utc.ts";
import { findNetworks } from "../../app/stations/networks.ts";
import { usage } from "../exit.ts";
import { type BoundingBox, isInside, parseBoundingBox, sortStations } from "../options/stations.ts";
import { commanderParser } from "../options/options.ts";
import { cachedCatalogue, catalogueAge, freshCatalogue } from "../options/selection.ts";
import { orStop } from "../shell.ts";
import { type Column, extra, right, shrinking } from "../terminal/table.ts";
import { many, minuteText } from "../terminal/text.ts";
import { type AddCommand, examples } from "./types.ts";

interface StationsOptions {
  readonly country?: readonly string[];
  readonly network?: readonly string[];
  readonly search?: string;
  readonly bbox?: BoundingBox;
  readonly sort?: StationSortKey;
  readonly order?: SortOrder;
  readonly refresh?: boolean;
  readonly offline?: boolean;
}

export const addStations: AddCommand = (program, run) => {
  program
    .command("stations")
    .summary("list the stations available to you")
    .description(
      "Lists the reference stations that your organization may use: name, place, network, kind of receiver, seconds " +
        "between observations, first and latest measurement (UTC), heights in metres above the WGS 84 ellipsoid and above the " +
        "EGM2008 geoid, position (degrees, blurred by the service) and id. If the service is unreachable or the key cannot be used, shows the saved list and its age.",
    )
    .option("--country <codes...>", "only these countries (ISO 3166-1: FI EE)")
    .option("--network <codes...>", "only these networks, by code or id")
    .option(
      "--bbox <box>",
      "only in this box, degrees: LATMIN,LONMIN,LATMAX,LONMAX; LONMAX < LONMIN if it crosses 180°",
      commanderParser(parseBoundingBox),
    )
    .addOption(new Option("--sort <key>", "sort key (default: name)").choices(STATION_SORT_KEYS))
    .addOption(new Option("--order <order>", "ascending or descending (default: asc)").choices(SORT_ORDERS))
    .option(
      "--search <words>",
      "only with all of these words in name, place, country, network or id; accents do not count",
    )
    .option("--refresh", "request the list even if the saved one is recent")
    .option("--offline", "use only the saved list, whatever its age; sends nothing")
    .addHelpText(
      "after",
      examples(
        ["stations --country FI EE", "Finland and Estonia"],
        ['stations --search "finland norda"', "by words of name, place, country or network"],
        ["stations --bbox 59,19,71,32 --sort data_last_updated --order desc", "in a box, newest data first"],
        ["stations --json | jq -r '.stations[].id'", "for machines"],
      ),
    )
    .action(
      run(async (shell, options: StationsOptions) => {
        const { output } = shell;
        const odd = options.country?.find((code) => !/^[a-z]{2}$/i.test(code));
        if (odd !== undefined) throw usage(`“${odd}” is not a country code. Write two letters, for example FI.`);
        const connection = await shell.connection();
        const catalogue = options.offline
          ? cachedCatalogue(shell, connection)
          : await freshCatalogue(shell, connection, options.refresh ?? false);
        const networkIds = options.network && orStop(findNetworks(catalogue, options.network));
        const isFound = searcher(options.search ?? "");
        const found = (among: readonly CatalogueStation[]): CatalogueStation[] => {
          const texts = options.search === undefined ? [] : searchTexts(among, catalogue.networks);
          const chosen = among.filter(
            (s, place) =>
              matches(s, options, networkIds) && (options.search === undefined || isFound(defined(texts[place]))),
          );
          return options.sort || options.order
            ? sortStations(chosen, options.sort ?? "name", options.order ?? "asc")
            : chosen;
        };
        const [stations, withdrawn] = [found(catalogue.stations), found(catalogue.withdrawn)];
        output.document("stations", { fetchedAtMs: catalogue.fetchedAtMs, stations, withdrawn });
        output.table(COLUMNS, stations.map(cells));
        const unplaced = options.bbox ? catalogue.stations.filter((s) => s.latitudeDeg === null).length : 0;
        if (unplaced > 0) output.note(`${many(unplaced, "station")} without a position for this key left out.`);
        for (const { displayName, id } of withdrawn)
          output.note(`${displayName} (${id}) is no longer listed by the service. Its cached data remain available.`);
        const shown = `${many(stations.length, "station")}${stations.length < catalogue.stations.length ? ` of ${catalogue.stations.length}` : ""}`;
        output.note(`${shown}; the catalogue is ${catalogueAge(connection, catalogue)} old.`);
      }),
    );
};

function isOneOf(value: string, wanted: readonly string[] | undefined): boolean {
  return wanted === undefined || wanted.some((w) => w.toLowerCase() === value.toLowerCase());
}

function matches(
  station: CatalogueStation,
  options: StationsOptions,
  networkIds: ReadonlySet<string> | undefined,
): boolean {
  return (
    isOneOf(station.countryCode, options.country) &&
    (networkIds === undefined || networkIds.has(station.networkId)) &&
    (options.bbox === undefined || isInside(station, options.bbox))
  );
}

const COLUMNS: readonly Column[] = [
  shrinking("Station"),
  shrinking("Place"),
  "In",
  "Network",
  "Latest (UTC)",
  ...extra(
    "From",
    right("Every"),
    "Source",
    right("Ellips. m"),
    right("Geoid m"),
    right("Lat °"),
    right("Lon °"),
    "Id",
  ),
];

function cells(station: CatalogueStation): string[] {
  return [
    station.displayName,
    station.locationAlias,
    station.countryCode,
    station.networkCode,
    station.dataLastUpdatedMs === null ? "" : minuteText(station.dataLastUpdatedMs),
    station.historicDataFromMs === null ? "no data" : formatUtcShort(station.historicDataFromMs).slice(0, 10),
    station.resolutionSeconds === 0 ? "native" : `${station.resolutionSeconds} s`,
    station.sourceType,
    metres(station.ellipsoidalHeight),
    metres(station.orthometricHeight),
    station.latitudeDeg?.toFixed(4) ?? "",
    station.longitudeDeg?.toFixed(4) ?? "",
    station.id,
  ];
}

function metres(height: number | null): string {
  return height === null ? "" : height.toFixed(1);
}

export const addNetworks: AddCommand = (program, run) => {
  program
    .command("networks")
    .summary("list the networks of the stations")
    .description(
      "Lists the networks that your organization can use, with their number of stations. Use the code in " +
        "“network:CODE” to select stations.",
    )
    .option("--refresh", "request the list even if the saved one is recent")
    .option("--offline", "use only the saved list; sends nothing")
    .addHelpText("after", examples(["networks", ""], ["stations --network NORDA", "the stations of one"]))
    .action(
      run(async (shell, options: { refresh?: boolean; offline?: boolean }) => {
        const { output } = shell;
        const connection = await shell.connection();
        const { networks, stations, fetchedAtMs } = options.offline
          ? cachedCatalogue(shell, connection)
          : await freshCatalogue(shell, connection, options.refresh ?? false);
        const counted = networks.map((network) => ({
          ...network,
          stations: stations.filter((s) => s.networkId === network.id).length,
        }));
        output.document("networks", { fetchedAtMs, networks: counted });
        const rows = counted.map((n) => [
          n.code,
          n.name,
          String(n.stations),
          n.isOwner ? "yours" : "",
          n.visibility ?? "",
        ]);
        const columns = ["Code", shrinking("Name"), right("Stations"), "Owner", "Visibility"];
        output.table(columns, rows);
        output.note(many(networks.length, "network"));
      }),
    );
};
