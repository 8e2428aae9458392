import { formatUtcShort } from "#shared/time/utc.ts";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import { catalogueAge, freshCatalogue, keptCatalogue } from "../selection.ts";
import { table, type TableColumn } from "../table.ts";
import { usage } from "../exit.ts";
import { many } from "../text.ts";
import { type AddCommand, examples } from "./types.ts";

interface StationsOptions {
  readonly country?: readonly string[];
  readonly network?: readonly string[];
  readonly search?: string;
  readonly refresh?: boolean;
  readonly offline?: boolean;
}

export const addStations: AddCommand = (program, run) => {
  program
    .command("stations")
    .summary("list the stations you may use")
    .description(
      "Lists the reference stations that your organization may use: name, place, network, kind of receiver, seconds " +
        "between observations, first and latest measurement (UTC), and heights in metres above the WGS 84 ellipsoid and above the " +
        "EGM2008 geoid. The list is kept: where the service cannot be reached, the kept one is shown, with its age.",
    )
    .option("--country <codes...>", "only these countries (ISO 3166-1: FI EE)")
    .option("--network <codes...>", "only these networks, by code")
    .option("--search <text>", "only where name or place contains this")
    .option("--refresh", "ask the service even if the kept list is young")
    .option("--offline", "only the kept list, whatever its age; nothing is sent")
    .addHelpText(
      "after",
      examples(
        ["stations --country FI EE", "Finland and Estonia"],
        ["stations --search helsinki", "by name or place"],
        ["stations --json | jq -r '.stations[].id'", "for machines"],
      ),
    )
    .action(
      run(async (shell, options: StationsOptions) => {
        const { output } = shell;
        const odd = options.country?.find((code) => !/^[a-z]{2}$/i.test(code));
        if (odd !== undefined) throw usage(`“${odd}” is no country code: write two letters, for example FI.`);
        const connection = await shell.connection();
        const catalogue = options.offline
          ? keptCatalogue(shell, connection)
          : await freshCatalogue(shell, connection, options.refresh ?? false);
        const stations = catalogue.stations.filter((s) => matches(s, options));
        output.document({ fetchedAtMs: catalogue.fetchedAtMs, stations });
        output.print(table(COLUMNS, stations.map(cells), output.width));
        const shown = `${many(stations.length, "station")}${stations.length < catalogue.stations.length ? ` of ${catalogue.stations.length}` : ""}`;
        output.note(`${shown}; the catalogue is ${catalogueAge(connection, catalogue)} old.`);
      }),
    );
};

function isOneOf(value: string, wanted: readonly string[] | undefined): boolean {
  return wanted === undefined || wanted.some((w) => w.toLowerCase() === value.toLowerCase());
}

function matches(station: CatalogueStation, options: StationsOptions): boolean {
  const text = `${station.displayName}\n${station.locationAlias}`.normalize("NFC").toLowerCase();
  return (
    isOneOf(station.countryCode, options.country) &&
    isOneOf(station.networkCode, options.network) &&
    text.includes((options.search ?? "").normalize("NFC").toLowerCase())
  );
}

const COLUMNS: readonly TableColumn[] = [
  { title: "Station", canShrink: true },
  { title: "Place", canShrink: true },
  { title: "In" },
  { title: "Network" },
  { title: "Source" },
  { title: "Every", align: "right" },
  { title: "From" },
  { title: "Latest (UTC)" },
  { title: "Ellips. m", align: "right" },
  { title: "Geoid m", align: "right" },
];

function cells(station: CatalogueStation): string[] {
  return [
    station.displayName,
    station.locationAlias,
    station.countryCode,
    station.networkCode,
    station.sourceType,
    station.resolutionSeconds === 0 ? "native" : `${station.resolutionSeconds} s`,
    station.historicDataFromMs === null ? "no data" : formatUtcShort(station.historicDataFromMs).slice(0, 10),
    station.dataLastUpdatedMs === null ? "" : formatUtcShort(station.dataLastUpdatedMs).slice(0, 16).replace("T", " "),
    metres(station.ellipsoidalHeight),
    metres(station.orthometricHeight),
  ];
}

function metres(height: number | null): string {
  return height === null ? "" : height.toFixed(1);
}
