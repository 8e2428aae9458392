import type { CatalogueStation, Network } from "#shared/service/catalogue.ts";
import { knownStations } from "#shared/service/catalogue.ts";
import { uuidSchema } from "#shared/service/query.ts";
import { canonicalId } from "#shared/service/stationId.ts";
import { formatUtcShort } from "#shared/time/utc.ts";
import type { OpenConnection } from "../../app/connections/connections.ts";
import { command } from "../command.ts";
import { reportingWaits } from "../download/waits.ts";
import { usage } from "../exit.ts";
import { cachedCatalogue, catalogueAge, namedStations, usableCatalogue } from "../options/selection.ts";
import { orStop, type Shell } from "../shell.ts";

export const addStation = command({
  description:
    "Requests one station and shows every field: position (degrees, blurred by the service), heights in metres " +
    "above the WGS 84 ellipsoid and above the EGM2008 geoid, times in UTC, and its network. If the service is " +
    "unreachable, shows the saved list and its age.",
  words: {
    "<station>": "its id, or its name if the list of stations is saved",
    "--offline": "use only saved data; sends nothing",
  },
  examples: [
    ["station Kallio", ""],
    ["station Kallio --offline --json", "for scripts"],
  ],
  async run(shell, { station: word, offline }) {
    const connection = await shell.connection();
    const found = offline ? cachedStation(shell, connection, word) : await requestedStation(shell, connection, word);
    const network = connection.cache.catalogue().networks.find((n) => n.id === found.networkId) ?? null;
    shell.output.document("station", { station: found, network });
    shell.output.table(fields(found, network), {
      Field: ([title]) => title,
      Value: { cell: ([, value]) => (value === null ? "" : String(value)), value: ([, value]) => value },
    });
  },
});

function isNamed(station: CatalogueStation, word: string): boolean {
  return canonicalId(station.id) === canonicalId(word);
}

/** Finds a station by name; requests the catalogue if the cached one lacks it. @throws Stop if none has the name */
async function namedStation(shell: Shell, connection: OpenConnection, word: string): Promise<CatalogueStation> {
  return onlyOne(namedStations(connection, await usableCatalogue(shell, connection, [word]), [word]), word);
}

/** @throws a usage error if a word matches several stations */
function onlyOne(named: readonly CatalogueStation[], word: string): CatalogueStation {
  const [station] = named;
  if (station && named.length === 1) return station;
  throw usage(`“${word}” matches ${named.length} stations. Use an id.`);
}

/** @throws a usage error if no cached station has the name */
function cachedStation(shell: Shell, connection: OpenConnection, word: string): CatalogueStation {
  const catalogue = cachedCatalogue(shell, connection);
  const named = onlyOne(namedStations(connection, catalogue, [word]), word);
  shell.output.note(`As of ${catalogueAge(connection, catalogue)} ago.`);
  return named;
}

async function requestedStation(shell: Shell, connection: OpenConnection, word: string): Promise<CatalogueStation> {
  const app = await shell.app();
  const kept = connection.cache.catalogue();
  const isId = uuidSchema.safeParse(canonicalId(word)).success;
  const id = isId
    ? (knownStations(kept).find((s) => isNamed(s, word))?.id ?? canonicalId(word))
    : (await namedStation(shell, connection, word)).id;
  const answer = await reportingWaits(shell, connection, () => app.station(connection, id, shell.signal));
  if (answer.ok) return answer.value;
  const isAway = answer.error.kind === "network" || answer.error.kind === "service";
  if (!isAway || !knownStations(kept).some((s) => isNamed(s, id))) return orStop(answer);
  shell.output.warn(answer.error.message);
  return cachedStation(shell, connection, id);
}

function shortMoment(ms: number | null): string | null {
  return ms === null ? null : formatUtcShort(ms);
}

function yesNo(is: boolean | null | undefined): string | null {
  return is === null || is === undefined ? null : is ? "yes" : "no";
}

function fields(station: CatalogueStation, network: Network | null): (readonly [string, string | number | null])[] {
  return [
    ["id", station.id],
    ["display name", station.displayName],
    ["mountpoint", station.mountpoint],
    ["source type", station.sourceType],
    ["place", station.locationAlias],
    ["country", station.countryCode],
    ["latitude, degrees", station.latitudeDeg],
    ["longitude, degrees", station.longitudeDeg],
    ["height above WGS 84 ellipsoid, m", station.ellipsoidalHeight],
    ["height above EGM2008 geoid, m", station.orthometricHeight],
    ["seconds between observations", station.resolutionSeconds === 0 ? "native rate" : station.resolutionSeconds],
    ["first measurement", shortMoment(station.historicDataFromMs)],
    ["latest measurement", shortMoment(station.dataLastUpdatedMs)],
    ["created", shortMoment(station.createdAtMs)],
    ["updated", shortMoment(station.updatedAtMs)],
    ["network", station.networkCode],
    ["network id", station.networkId],
    ["network name", network?.name ?? null],
    ["network is yours", yesNo(network?.isOwner)],
    ["network visibility", network?.visibility ?? null],
    ["network is internal", yesNo(network?.isInternal)],
  ];
}
