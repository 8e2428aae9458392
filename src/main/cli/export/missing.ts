import type { JobSpec } from "#shared/job/job.ts";
import type { OpenConnection } from "../../app/connections/connections.ts";
import { type Settlement, settlementByStation } from "../../app/reading/settlement.ts";
import { EXIT, type ExitCode } from "../exit.ts";
import { fetchMissing } from "../download/download.ts";
import type { Shell } from "../shell.ts";
import { many } from "../terminal/text.ts";
import { VARIABLE_NAMES } from "#shared/service/variables.ts";
import { formatRange } from "#shared/time/range.ts";
import { hull, rangeSet } from "#shared/time/rangeset.ts";
import type { PlanStation } from "../../planner/types.ts";

/** Stations whose data in a result are incomplete. */
export interface Incomplete {
  /** A part was never requested, or could not be downloaded. */
  readonly notDownloaded: readonly string[];
  /** Data may still arrive or change. */
  readonly mayStillArrive: readonly string[];
}

/** The stations whose cached data of a selection are incomplete; null if all are final. */
export function incompleteData(connection: OpenConnection, spec: JobSpec): Incomplete | null {
  const all = [...settlementByStation(connection, spec)];
  const idsOf = (wanted: Settlement): string[] => all.flatMap(([id, found]) => (found === wanted ? [id] : []));
  const found = { notDownloaded: idsOf("notDownloaded"), mayStillArrive: idsOf("mayStillArrive") };
  return found.notDownloaded.length + found.mayStillArrive.length === 0 ? null : found;
}

/**
 * The exit code of a command whose result may be incomplete, which it says.
 *
 * @param fetched that of its download
 */
export function exitCodeOf(
  { output }: Shell,
  incomplete: Incomplete | null,
  { allowIncomplete }: { readonly allowIncomplete: true | undefined },
  fetched: ExitCode = EXIT.ok,
): ExitCode {
  if (incomplete === null || allowIncomplete) return fetched;
  const { notDownloaded, mayStillArrive } = incomplete;
  const parts = [
    ...(notDownloaded.length > 0 ? [`of ${many(notDownloaded.length, "station")} are not downloaded`] : []),
    ...(mayStillArrive.length > 0 ? [`of ${many(mayStillArrive.length, "station")} may still arrive or change`] : []),
  ];
  const advice =
    notDownloaded.length > 0
      ? "Download them with “fetch”, or add --fetch"
      : "Run the same command again later, with --fetch";
  output.shortfall(
    `Data ${parts.join(", and ")}, so the exit code is ${EXIT.incomplete}. ${advice}; --allow-incomplete makes it 0.`,
  );
  return fetched === EXIT.ok ? EXIT.incomplete : fetched;
}

/**
 * Downloads what a selection lacks, or warns about it.
 *
 * @param suggested a command that downloads the rest, instead of downloading it here
 * @returns the exit code of the download
 * @throws Stop
 */
export async function fetchOrWarn(
  shell: Shell,
  connection: OpenConnection,
  spec: JobSpec,
  suggested: string | null,
): Promise<ExitCode> {
  if (suggested === null) return fetchMissing(shell, connection, spec);
  const { jobs } = await shell.app();
  const missing = jobs
    .missing(connection, spec)
    .filter((station) => VARIABLE_NAMES.some((variable) => (station.missing[variable] ?? []).length > 0));
  if (missing.length === 0) return EXIT.ok;
  const isFile = connection.record.kind === "file";
  shell.output.warn(
    `${many(missing.length, "station")} of ${spec.stationIds.length} ${missing.length === 1 ? "lacks" : "lack"} parts of this ` +
      `in the cache, or may have newer ones: ${missingParts(missing)}. The result contains only cached data.` +
      (isFile ? " A session file cannot download the rest." : ` To download the rest:\n  ${shell.suggest(suggested)}`),
  );
  return EXIT.ok;
}

/** `ztd, pwv (2 stations, 2026-10-05T00:00:00Z → 2026-10-06T00:00:00Z)`; of several parts, from the first to the last. */
function missingParts(missing: readonly PlanStation[]): string {
  const described = VARIABLE_NAMES.flatMap((variable) => {
    const lacking = missing.flatMap((station) => {
      const ranges = station.missing[variable] ?? [];
      return ranges.length > 0 ? [ranges] : [];
    });
    const where = hull(rangeSet(lacking.flat()));
    const gaps = lacking.some((ranges) => ranges.length > 1) ? "parts of " : "";
    return where ? [{ variable, text: `${many(lacking.length, "station")}, ${gaps}${formatRange(where)}` }] : [];
  });
  const groups = Map.groupBy(described, (d) => d.text);
  return [...groups].map(([text, of]) => `${of.map((d) => d.variable).join(", ")} (${text})`).join("; ");
}

/**
 * Whether means are computed from cached observations: with `--resample` or `--zone`, or where the cache has a larger share of
 * observations than of means from the service.
 */
export async function isResampled(
  shell: Shell,
  connection: OpenConnection,
  spec: JobSpec,
  values: {
    readonly resample: true | undefined;
    readonly zone: string | undefined;
    readonly fetch: true | undefined;
  },
): Promise<boolean> {
  const isAsked = values.resample === true || values.zone !== undefined;
  if (isAsked || values.fetch || spec.intervalSeconds === null) return isAsked;
  const { jobs } = await shell.app();
  const cachedShare = (of: JobSpec): number => {
    const { pointsKnown, pointsRequested } = jobs.estimate(connection, of, true);
    return pointsRequested === 0 ? 0 : pointsKnown / pointsRequested;
  };
  if (cachedShare({ ...spec, intervalSeconds: null }) <= cachedShare(spec)) return false;
  shell.output.note("These are means of cached observations, because fewer means of the service are cached.");
  return true;
}
