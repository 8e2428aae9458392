import { type Schedule, scheduleName } from "#shared/schedule/schedule.ts";
import type { SavedExport, Period } from "#shared/file/savedExport.ts";
import { freeName } from "#shared/views/freeName.ts";
import { stationName, useCatalogue } from "../../stores/catalogue.ts";
import { useConnection } from "../../stores/connection.ts";
import { editSchedule, useSchedules } from "../../stores/schedules.ts";
import { readModeOf, shownVariables } from "../../stores/selection.ts";
import { useSettings } from "../../stores/settings.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { many } from "../../ui/text.ts";

const YESTERDAY = { start: "yesterday", end: "today" };
const MOST_NAME = 50;

/** Ranges that hold what a saved export needs. */
const MOVING: Readonly<Record<Period, Schedule["range"]>> = {
  last24Hours: { start: "now-25h", end: "now" },
  yesterday: YESTERDAY,
  last7Days: { start: "now-8d", end: "now" },
  last30Days: { start: "now-31d", end: "now" },
  lastMonth: { start: "last month", end: "this month" },
};

function namesTaken(): ReadonlySet<string> {
  return new Set(useSchedules.getState().all?.map(({ schedule }) => schedule.name));
}

/** What the views show now: which data, without when and where to. */
export function currentData(): Pick<
  Schedule,
  "stations" | "variables" | "intervalSeconds" | "raw" | "resampled"
> | null {
  const chosen = useWorkspace.getState();
  if (chosen.stationIds.length === 0) return null;
  const { intervalSeconds, raw, resampled } = readModeOf(chosen);
  const stations = { kind: "list", stationIds: chosen.stationIds } as const;
  return { stations, variables: shownVariables(chosen), intervalSeconds, raw, resampled };
}

/** A name that says what is downloaded, and that the command line takes. */
function proposedName(stationIds: readonly string[]): string {
  const [first] = stationIds;
  const station = first === undefined ? "" : stationName(useCatalogue.getState().byId, first);
  const plain = station.replaceAll(/[^\p{L}\p{M}\p{N} .,_+()-]/gu, "").trim();
  const named = stationIds.length === 1 && scheduleName.safeParse(plain).success;
  const what = named ? plain : many(stationIds.length, "station");
  return freeName(`${what.slice(0, MOST_NAME)} daily`, namesTaken());
}

/** Opens the form with what the views show; nothing where no station is selected. */
export function newSchedule(exports?: Schedule["exports"]): void {
  const data = currentData();
  const connectionId = useConnection.getState().current?.info.id;
  if (!data || connectionId === undefined) return;
  const { settings } = useSettings.getState();
  const { moving } = useWorkspace.getState();
  const stationIds = data.stations.kind === "list" ? data.stations.stationIds : [];
  const schedule: Schedule = {
    ...data,
    name: proposedName(stationIds),
    connectionId,
    when: { kind: "daily", time: "06:30", clock: "utc" },
    range: moving ?? YESTERDAY,
    exports: exports ?? [
      {
        kind: "own",
        format: "netcdf",
        heightReference: settings.heightReference,
        template: settings.exportTemplate,
      },
    ],
    folder: null,
    keepDays: null,
    notice: "failure",
    isPaused: false,
  };
  editSchedule({ id: null, schedule });
}

/** Opens the form with a saved export: its data are downloaded, and its file is written. */
export function scheduleSaved({ name, connectionId, stationIds, variables, ...saved }: SavedExport): void {
  const { intervalSeconds, raw, resampled, range } = saved;
  const schedule: Schedule = {
    name: freeName(name.slice(0, MOST_NAME), namesTaken()),
    connectionId,
    when: { kind: "daily", time: "06:30", clock: "utc" },
    stations: { kind: "list", stationIds },
    variables,
    intervalSeconds,
    raw,
    resampled,
    range: range.kind === "relative" ? MOVING[range.period] : YESTERDAY,
    exports: [{ kind: "saved", name }],
    folder: null,
    keepDays: null,
    notice: "failure",
    isPaused: false,
  };
  editSchedule({ id: null, schedule });
}

/** Opens the form with the same under another name. */
export function duplicateSchedule(schedule: Schedule): void {
  const name = freeName(schedule.name.slice(0, MOST_NAME), namesTaken());
  editSchedule({ id: null, schedule: { ...schedule, name } });
}
