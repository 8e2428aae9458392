import type { JobSpec } from "#shared/job/job.ts";
import { findStations } from "../../app/stations/stations.ts";
import type { OpenConnection } from "../../app/connections/connections.ts";
import type { Catalogue, CatalogueStation } from "#shared/service/catalogue.ts";
import { formatRange } from "#shared/time/range.ts";
import { alignOutward } from "#shared/time/interval.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { usage } from "../exit.ts";
import type { SelectionOptions } from "./options.ts";
import { parseRange } from "./parse.ts";
import { orStop, type Shell } from "../shell.ts";
import { duration } from "../terminal/text.ts";
import { tellingWaits } from "../download/waits.ts";

export interface Selection {
  readonly catalogue: Catalogue;
  readonly stations: readonly CatalogueStation[];
  readonly spec: JobSpec;
}

/** What a command line asks for, in the words of the catalogue. @throws Stop */
export async function readSelection(
  shell: Shell,
  connection: OpenConnection,
  words: readonly string[],
  options: SelectionOptions,
  source: "kept" | "service",
): Promise<Selection> {
  const range = parseRange(options, connection.session.serverNowMs());
  if (!range.ok) throw usage(range.error);
  const catalogue =
    source === "kept" ? keptCatalogue(shell, connection) : await usableCatalogue(shell, connection, words);
  const stations = namedStations(connection, catalogue, words);
  // A mean of a part of an interval is not the mean of the interval.
  const whole = options.interval === undefined ? range.value : alignOutward(range.value, options.interval);
  if (whole.startMs !== range.value.startMs || whole.endMs !== range.value.endMs)
    shell.output.note(`Only whole intervals are averaged: the range grows to ${formatRange(whole)}.`);
  const spec: JobSpec = {
    stationIds: stations.map((s) => s.id),
    variables: options.vars,
    range: whole,
    intervalSeconds: options.interval ?? null,
    raw: options.raw ?? false,
  };
  return { catalogue, stations, spec };
}

/** The stations that are named. @throws Stop where a word names none */
export function namedStations(
  connection: OpenConnection,
  catalogue: Catalogue,
  words: readonly string[],
): CatalogueStation[] {
  return orStop(findStations(catalogue, words, connection.groups?.()));
}

/** The catalogue as it was last fetched; nothing is sent. @throws Stop where it never was */
export function keptCatalogue(shell: Shell, { cache }: OpenConnection): Catalogue {
  const catalogue = cache.catalogue();
  if (catalogue.fetchedAtMs !== null) return catalogue;
  throw usage(`The stations of this connection are not known yet: run “${shell.suggest("stations")}” first.`);
}

/** How long an outage is waited for where a kept list can be shown instead. */
const KEPT_PATIENCE_MS = 15_000;

/** Words that mean whatever stations there are, and so need a catalogue that is not old. */
const OPEN_WORD = /^(all$|network:|country:|near:)/;

/**
 * The kept catalogue where it has every station that is named, so that what is complete costs no request; else a fresh
 * one. Where the service does not answer, the kept one has to do, and that is said.
 */
export async function usableCatalogue(
  shell: Shell,
  connection: OpenConnection,
  words: readonly string[],
): Promise<Catalogue> {
  const kept = connection.cache.catalogue();
  const isOld =
    kept.fetchedAtMs !== null &&
    !connection.session.isYoung(kept.fetchedAtMs, DAY_MS) &&
    words.some((w) => OPEN_WORD.test(w));
  if (!isOld && kept.fetchedAtMs !== null && findStations(kept, words, connection.groups?.()).ok) return kept;
  shell.output.note("Asking for the list of stations …");
  return freshCatalogue(shell, connection, true, connection.session.patience.callMs);
}

/**
 * Asks the service for the catalogue. Where it cannot be reached, the kept one is taken, and its age is told.
 *
 * @param patienceMs how long an outage is waited for where there is a kept one; where there is none, as for all else
 * @throws Stop where there is none, or where the key is the reason
 */
export async function freshCatalogue(
  shell: Shell,
  connection: OpenConnection,
  fresh: boolean,
  patienceMs = KEPT_PATIENCE_MS,
): Promise<Catalogue> {
  const app = await shell.app();
  const kept = connection.cache.catalogue();
  const { callMs } = connection.session.patience;
  const waitMs = kept.fetchedAtMs === null ? callMs : Math.min(callMs, patienceMs);
  const answer = await tellingWaits(shell, connection, () => app.catalogue(connection, fresh, shell.signal, waitMs));
  if (answer.ok) return answer.value;
  if ((answer.error.kind !== "service" && answer.error.kind !== "network") || kept.fetchedAtMs === null)
    return orStop(answer);
  shell.output.warn(`${answer.error.message} This is the catalogue as it was ${catalogueAge(connection, kept)} ago.`);
  return kept;
}

export function catalogueAge({ session }: OpenConnection, catalogue: Catalogue): string {
  const ageMs = session.serverNowMs() - (catalogue.fetchedAtMs ?? session.serverNowMs());
  return duration(Math.max(0, Math.round(ageMs / 1000)));
}
