import { type AppFault, usageFailure } from "#shared/fault.ts";
import type { VectorFormat } from "#shared/file/figure.ts";
import { downloadFor, requestAt } from "#shared/file/savedExport.ts";
import type { JobSpec } from "#shared/job/job.ts";
import { dueRange, type LedgerRange } from "#shared/schedule/ledger.ts";
import { type Schedule, scheduledRange } from "#shared/schedule/schedule.ts";
import { type Result, success } from "#shared/service/error.ts";
import { groupNamed } from "#shared/station/group.ts";
import { DAY_MS, type UtcMs } from "#shared/time/utc.ts";
import type { OpenConnection } from "../connections/connections.ts";
import type { SavedExports } from "../namedRecords.ts";
import type { WantedOutput } from "./files.ts";
import type { ScheduleStore } from "./scheduleStore.ts";
import type { Verdict } from "#shared/job/verdict.ts";

/** What a plan needs of the user's saved exports, and the format of their figures. */
export interface SavedOutputs {
  readonly savedExports: Pick<SavedExports, "find">;
  readonly savedFormat: VectorFormat;
}

/** What a run downloads and writes for a range. */
export interface RangePlan {
  /** The first is for the schedule's own data, the others for its saved exports. */
  readonly specs: readonly [JobSpec, ...JobSpec[]];
  /** Figures after files. */
  readonly outputs: readonly WantedOutput[];
}

/** The stations of a schedule now, or why there are none. */
export function stationsOrFault(connection: OpenConnection, schedule: Schedule): Result<readonly string[], AppFault> {
  const stationIds = stationsOf(connection, schedule);
  if (schedule.stations.kind === "group" && stationIds.length === 0)
    return usageFailure(`There is no station in the group “${schedule.stations.name}”.`);
  return success(stationIds);
}

/**
 * Resolves a range of a schedule to its downloads and files. Saved exports have the ranges of the time at which it became
 * due.
 */
export function planRange(
  schedule: Schedule,
  stationIds: readonly string[],
  { startMs, endMs, dueMs }: LedgerRange,
  { savedExports, savedFormat }: SavedOutputs,
): Result<RangePlan, AppFault> {
  const range = { startMs, endMs };
  const { variables, intervalSeconds, raw, resampled, zone } = schedule;
  const selection = { stationIds, variables, range, intervalSeconds, raw, resampled, zone };
  const files: WantedOutput[] = [];
  const figures: WantedOutput[] = [];
  const savedSpecs: JobSpec[] = [];
  for (const one of schedule.exports) {
    if (one.kind === "own") {
      const { kind: _, template, ...format } = one;
      files.push({ kind: "file", request: { ...selection, ...format }, template, exportName: schedule.name });
      continue;
    }
    if (one.kind === "figure") {
      figures.push({ ...one, series: selection, exportName: schedule.name });
      continue;
    }
    const saved = savedExports.find(one.name);
    if (!saved.ok) return saved;
    const { connectionId, name, template } = saved.value.item;
    if (connectionId !== schedule.connectionId)
      return usageFailure(`The saved export “${name}” belongs to another connection.`);
    const request = requestAt(saved.value.item, dueMs);
    const naming = { template, exportName: name };
    files.push({ kind: "file", request, ...naming });
    savedSpecs.push(downloadFor(request));
    if (saved.value.item.figure) figures.push({ kind: "figure", series: request, format: savedFormat, ...naming });
  }
  const ownSpec = downloadFor({ ...selection, format: "csv", heightReference: "WGS84_ELLIPSOID" });
  return success({ specs: [ownSpec, ...savedSpecs], outputs: [...files, ...figures] });
}

/**
 * Start times of the downloads that this schedule, and others with any of its stations, still need or will need, with those
 * of their saved exports.
 */
export function neededFrom(
  connection: OpenConnection,
  { store, saved }: { readonly store: Pick<ScheduleStore, "list" | "ledger">; readonly saved: SavedOutputs },
  specs: readonly JobSpec[],
  nowMs: UtcMs,
): UtcMs[] {
  const own = new Set(specs.flatMap((spec) => spec.stationIds));
  const needed = store
    .list()
    .filter(({ schedule }) => schedule.connectionId === connection.record.id)
    .flatMap((stored) => {
      const { schedule } = stored;
      const stationIds = stationsOf(connection, schedule);
      const next = scheduledRange(schedule, nowMs);
      const ranges = [...(next === null ? [] : [dueRange(next, nowMs)]), ...store.ledger.open(stored, nowMs)];
      return ranges.flatMap((range): readonly Pick<JobSpec, "stationIds" | "range">[] => {
        const plan = planRange(schedule, stationIds, range, saved);
        return plan.ok ? plan.value.specs : [{ stationIds, range }];
      });
    })
    .filter((spec) => spec.stationIds.some((id) => own.has(id)));
  return [...specs, ...needed].map((spec) => spec.range.startMs);
}

function stationsOf(connection: OpenConnection, { stations }: Schedule): readonly string[] {
  if (stations.kind === "list") return stations.stationIds;
  return groupNamed(connection.groups?.() ?? [], stations.name)?.stationIds ?? [];
}

// Ranges of a schedule that are downloaded together.

/** Ranges that touch are downloaded together, up to this span. */
const MAX_TOGETHER_MS = 31 * DAY_MS;

/** Groups ranges that touch, so that what several share is requested once. */
export function batches<Planned extends { readonly range: LedgerRange }>(all: readonly Planned[]): Planned[][] {
  const found: Planned[][] = [];
  let span = { startMs: 0, endMs: 0 };
  for (const one of all) {
    const { startMs, endMs } = one.range;
    const joined = { startMs: Math.min(span.startMs, startMs), endMs: Math.max(span.endMs, endMs) };
    const touches = startMs <= span.endMs && endMs >= span.startMs;
    if (found.length > 0 && touches && joined.endMs - joined.startMs <= MAX_TOGETHER_MS) {
      found.at(-1)?.push(one);
      span = joined;
    } else {
      found.push([one]);
      span = { startMs, endMs };
    }
  }
  return found;
}

/** The downloads of ranges that touch: one for the schedule's own data, and those of saved exports, each once. */
export function specsOf(together: readonly (readonly JobSpec[])[]): JobSpec[] {
  const own = together.map(([spec]) => spec).filter((spec) => spec !== undefined);
  const [first] = own;
  if (first === undefined) return [];
  const range = {
    startMs: Math.min(...own.map((spec) => spec.range.startMs)),
    endMs: Math.max(...own.map((spec) => spec.range.endMs)),
  };
  const others = together.flatMap((specs) => specs.slice(1));
  return [{ ...first, range }, ...new Map(others.map((spec) => [JSON.stringify(spec), spec])).values()];
}

/** The reason for a station that the service refused before: scheduled runs do not request it again, but it is missing. */
export const REFUSED_BEFORE = "The service refused this station recently. Press “Run now” to request it again.";

/** Verdicts of a station that is not requested. */
export function verdictsOf(
  stationId: string,
  { variables, range }: JobSpec,
  why: Pick<Verdict, "state" | "reason">,
): Verdict[] {
  return variables.map((variable) => ({ stationId, variable, range, rows: 0, ...why }));
}
