import { type AppFault, usageFailure } from "#shared/fault.ts";
import type { VectorFormat } from "#shared/file/figure.ts";
import { downloadFor, requestAt } from "#shared/file/savedExport.ts";
import type { JobSpec } from "#shared/job/job.ts";
import { type Schedule, scheduledRange } from "#shared/schedule/schedule.ts";
import { type Result, success } from "#shared/service/error.ts";
import { groupNamed } from "#shared/station/group.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import type { OpenConnection } from "../connections/connections.ts";
import type { SavedExports, WantedFigure } from "../exports/saved.ts";
import type { WantedFile } from "./files.ts";
import type { ScheduleStore } from "./scheduleStore.ts";

/** What a run downloads and writes. */
interface RunPlan {
  /** The first is for the schedule's own data, the others for its saved exports. */
  readonly specs: readonly [JobSpec, ...JobSpec[]];
  readonly files: readonly WantedFile[];
  readonly figures: readonly WantedFigure[];
  readonly range: TimeRange;
  readonly stationIds: readonly string[];
}

/**
 * Resolves a schedule to the downloads and files of one run.
 *
 * @param nowMs by the service's clock
 * @param savedFormat format of the figures of saved exports
 */
export function planRun(
  connection: OpenConnection,
  schedule: Schedule,
  nowMs: UtcMs,
  savedExports: Pick<SavedExports, "find">,
  savedFormat: VectorFormat,
): Result<RunPlan, AppFault> {
  const stationIds = stationsOf(connection, schedule);
  if (schedule.stations.kind === "group" && stationIds.length === 0)
    return usageFailure(`There is no station in the group “${schedule.stations.name}”.`);
  const range = scheduledRange(schedule, nowMs);
  if (range === null) return usageFailure("The time range of this schedule is empty now: edit it.");
  const { variables, intervalSeconds, raw, resampled } = schedule;
  const selection = { stationIds, variables, range, intervalSeconds, raw, resampled };
  const files: WantedFile[] = [];
  const figures: WantedFigure[] = [];
  const savedSpecs: JobSpec[] = [];
  for (const one of schedule.exports) {
    if (one.kind === "own") {
      const { kind: _, template, ...format } = one;
      files.push({ request: { ...selection, ...format }, template, exportName: schedule.name });
      continue;
    }
    if (one.kind === "figure") {
      const { format, template } = one;
      figures.push({ series: selection, format, template, exportName: schedule.name });
      continue;
    }
    const saved = savedExports.find(one.name);
    if (!saved.ok) return saved;
    const { connectionId, name, template } = saved.value;
    if (connectionId !== schedule.connectionId)
      return usageFailure(`The saved export “${name}” belongs to another connection.`);
    const request = requestAt(saved.value, nowMs);
    files.push({ request, template, exportName: name });
    savedSpecs.push(downloadFor(request));
    if (saved.value.figure) figures.push({ series: request, format: savedFormat, template, exportName: name });
  }
  const ownSpec = downloadFor({ ...selection, format: "csv", heightReference: "WGS84_ELLIPSOID" });
  return success({ specs: [ownSpec, ...savedSpecs], files, figures, range, stationIds });
}

/** Start times of the ranges of a run, and of other schedules that download any of its stations. */
export function neededFrom(
  connection: OpenConnection,
  store: Pick<ScheduleStore, "list">,
  specs: RunPlan["specs"],
  nowMs: UtcMs,
): UtcMs[] {
  const own = new Set(specs[0].stationIds);
  const others = store
    .list()
    .filter(({ schedule }) => schedule.connectionId === connection.record.id)
    .filter(({ schedule }) => stationsOf(connection, schedule).some((id) => own.has(id)))
    .flatMap(({ schedule }) => scheduledRange(schedule, nowMs) ?? []);
  return [...specs.map((spec) => spec.range), ...others].map((range) => range.startMs);
}

function stationsOf(connection: OpenConnection, { stations }: Schedule): readonly string[] {
  if (stations.kind === "list") return stations.stationIds;
  return groupNamed(connection.groups?.() ?? [], stations.name)?.stationIds ?? [];
}
