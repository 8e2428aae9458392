import type { JobSpec } from "#shared/job/job.ts";
import { findStations, removedOfGroups, unlistedStations } from "../../app/stations/find.ts";
import { isComplete } from "../../app/exports/fetchFirst.ts";
import type { OpenConnection } from "../../app/connections/connections.ts";
import type { Catalogue, CatalogueStation } from "#shared/service/catalogue.ts";
import { uuidSchema } from "#shared/service/query.ts";
import { canonicalId } from "#shared/service/stationId.ts";
import { firstNames } from "#shared/text.ts";
import { wholeRange } from "#shared/time/intervals.ts";
import { formatRange } from "#shared/time/range.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { usage } from "../exit.ts";
import type { SelectionValues } from "./options.ts";
import { parseRange } from "./parse.ts";
import { orStop, type Shell } from "../shell.ts";
import { duration } from "../terminal/text.ts";
import { reportingWaits } from "../download/waits.ts";

interface Selection {
  readonly catalogue: Catalogue;
  readonly stations: readonly CatalogueStation[];
  readonly spec: JobSpec;
}

/**
 * Resolves stations and time range of a command line. The query includes every station of a group, even if the
 * catalogue no longer lists it, so that nothing is left out silently.
 *
 * @param withUnknownIds whether ids that the catalogue lacks are part of the query, beside a station that it has: the
 * service may have removed one, which must not prevent the files of the others
 * @throws Stop
 */
export async function readSelection(
  shell: Shell,
  connection: OpenConnection,
  values: SelectionValues,
  {
    source = "cache",
    withUnknownIds = false,
  }: { readonly source?: "cache" | "service"; readonly withUnknownIds?: boolean } = {},
): Promise<Selection> {
  const range = parseRange(values, connection.session.serverNowMs());
  if (!range.ok) throw usage(range.error);
  // The mean of a part of an interval differs from the mean of the interval.
  const { stations: words, interval = null, zone } = values;
  const whole = wholeRange(range.value, { intervalSeconds: interval, zone });
  const what = zone === undefined ? "intervals" : `days of ${zone}`;
  if (whole.startMs !== range.value.startMs || whole.endMs !== range.value.endMs)
    shell.output.note(`Only whole ${what} are averaged: the range was extended to ${formatRange(whole)}.`);
  const selectedFrom = (catalogue: Catalogue): Selection => {
    const isUnknownId = (word: string): boolean =>
      uuidSchema.safeParse(canonicalId(word)).success && !findStations(catalogue, [word]).ok;
    const typed = withUnknownIds ? words.filter(isUnknownId) : [];
    const known = words.filter((word) => !typed.includes(word));
    const unknown = [...typed.map(canonicalId), ...removedOfGroups(catalogue, words, connection.groups?.())];
    const stations = namedStations(connection, catalogue, known.length > 0 ? known : words);
    const spec: JobSpec = {
      stationIds: [...stations.map((s) => s.id), ...new Set(unknown)],
      variables: values.vars,
      range: whole,
      intervalSeconds: interval,
      raw: values.raw ?? false,
    };
    return { catalogue, stations, spec };
  };
  if (source === "cache") return selectedFrom(cachedCatalogue(shell, connection));
  const selection = selectedFrom(await usableCatalogue(shell, connection, words));
  const { jobs } = await shell.app();
  if (isComplete(jobs, connection, selection.spec)) return selection;
  // A download brings an old catalogue up to date, in which a name may be that of another station. So that comes first.
  return selectedFrom(await freshCatalogue(shell, connection, false));
}

/** Finds stations by words. @throws Stop if a word matches none */
export function namedStations(
  connection: OpenConnection,
  catalogue: Catalogue,
  words: readonly string[],
): CatalogueStation[] {
  return orStop(findStations(catalogue, words, connection.groups?.()));
}

const MOST_NAMES = 3;

/** Says which cached stations a command leaves out because they are no longer listed, and how to include them. */
export function noteUnlisted(shell: Shell, connection: OpenConnection, words: readonly string[]): void {
  const left = unlistedStations(connection.cache.catalogue(), words, connection.groups?.());
  if (left.length === 0) return;
  const names = left.slice(0, MOST_NAMES).map(({ displayName, id }) => `${displayName} (${id})`);
  const more = left.length > MOST_NAMES ? ` and ${left.length - MOST_NAMES} more` : "";
  shell.output.note(
    `No longer listed, and left out: ${names.join(", ")}${more}. Name a station by its id to include its cached data.`,
  );
}

/** Names the stations of groups for which a command can show nothing. */
export function warnOfRemoved(shell: Shell, connection: OpenConnection, words: readonly string[]): void {
  const ids = removedOfGroups(connection.cache.catalogue(), words, connection.groups?.());
  if (ids.length > 0)
    shell.output.warn(`No longer listed by the service, and without cached data: ${firstNames(ids, MOST_NAMES)}.`);
}

/** The cached catalogue, without a request. @throws Stop if it was never downloaded */
export function cachedCatalogue(shell: Shell, { cache }: OpenConnection): Catalogue {
  const catalogue = cache.catalogue();
  if (catalogue.fetchedAtMs !== null) return catalogue;
  throw usage(`The stations of this connection are not known yet: run “${shell.suggest("stations")}” first.`);
}

/** How long to wait for an outage if there is a cached catalogue. */
const CACHED_PATIENCE_MS = 15_000;

/** Words for sets of stations that change, so they need a recent catalogue. */
const SET_WORD = /^(all$|network:|country:|near:)/;

/**
 * The cached catalogue if it has every named station, so that complete data needs no request; else a fresh one. If the
 * service is unreachable, the cached one is used with a warning.
 */
export async function usableCatalogue(
  shell: Shell,
  connection: OpenConnection,
  words: readonly string[],
): Promise<Catalogue> {
  const cached = connection.cache.catalogue();
  const isOld =
    cached.fetchedAtMs !== null &&
    !connection.session.isYoung(cached.fetchedAtMs, DAY_MS) &&
    words.some((w) => SET_WORD.test(w));
  if (!isOld && cached.fetchedAtMs !== null && findStations(cached, words, connection.groups?.()).ok) return cached;
  shell.output.note("Requesting the list of stations …");
  return freshCatalogue(shell, connection, true, connection.session.patience.callMs);
}

/**
 * Requests the catalogue. If the service is unreachable or the key cannot be used, returns the cached one and warns about
 * its age.
 *
 * @param patienceMs how long to wait for an outage if there is a cached one; without one, the usual patience applies
 * @throws Stop if the request fails and no catalogue is cached
 */
export async function freshCatalogue(
  shell: Shell,
  connection: OpenConnection,
  fresh: boolean,
  patienceMs = CACHED_PATIENCE_MS,
): Promise<Catalogue> {
  const app = await shell.app();
  const cached = connection.cache.catalogue();
  const { callMs } = connection.session.patience;
  const waitMs = cached.fetchedAtMs === null ? callMs : Math.min(callMs, patienceMs);
  const answer = await reportingWaits(shell, connection, () => app.catalogue(connection, fresh, shell.signal, waitMs));
  if (answer.ok) return answer.value;
  const isOffline = ["service", "network", "key"].includes(answer.error.kind) || connection.cache.refusal !== null;
  if (!isOffline || cached.fetchedAtMs === null) return orStop(answer);
  shell.output.warn(`${answer.error.message} The saved catalogue is ${catalogueAge(connection, cached)} old.`);
  return cached;
}

export function catalogueAge({ session }: OpenConnection, catalogue: Catalogue): string {
  const ageMs = session.serverNowMs() - (catalogue.fetchedAtMs ?? session.serverNowMs());
  return duration(Math.max(0, Math.round(ageMs / 1000)));
}
