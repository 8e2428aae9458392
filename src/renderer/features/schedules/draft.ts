import { DEFAULT_CATCH_UP_DAYS, UNWATCHED, type Schedule, scheduleName } from "#shared/schedule/schedule.ts";
import type { SavedExport, Period } from "#shared/file/savedExport.ts";
import { stationName, useCatalogue } from "../../stores/catalogue.ts";
import { useConnection } from "../../stores/connection.ts";
import { openDialog } from "../../stores/dialogs.ts";
import { readModeOf, shownVariables } from "../../stores/selection.ts";
import { useSettings } from "../../stores/settings.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { many } from "../../ui/text.ts";

const YESTERDAY = { start: "yesterday", end: "today" };
const DEFAULTS: Pick<
  Schedule,
  "when" | "folder" | "catchUpDays" | "sinceMs" | "keepDays" | "notice" | "isPaused" | keyof typeof UNWATCHED
> = {
  when: { kind: "daily", time: "06:30", clock: "utc" },
  folder: null,
  catchUpDays: DEFAULT_CATCH_UP_DAYS,
  sinceMs: null,
  ...UNWATCHED,
  keepDays: null,
  notice: "failure",
  isPaused: false,
};
/** Ranges to download, which cover the periods of saved exports. */
const DOWNLOAD_RANGES: Readonly<Record<Period, Schedule["range"]>> = {
  last24Hours: { start: "now-25h", end: "now" },
  yesterday: YESTERDAY,
  last7Days: { start: "now-8d", end: "now" },
  last30Days: { start: "now-31d", end: "now" },
  lastMonth: { start: "last month", end: "this month" },
};

function openForm(schedule: Schedule): void {
  openDialog({ kind: "schedule", id: null, schedule });
}

/** Returns the data that the views show; null without selected stations. */
export function currentData(): Pick<
  Schedule,
  "stations" | "variables" | "intervalSeconds" | "raw" | "resampled" | "zone"
> | null {
  const chosen = useWorkspace.getState();
  if (chosen.stationIds.length === 0) return null;
  const stations = { kind: "list", stationIds: chosen.stationIds } as const;
  return { stations, variables: shownVariables(chosen), ...readModeOf(chosen) };
}

/** Proposes a name that describes the data and is valid on the command line. */
function proposedName(stationIds: readonly string[]): string {
  const [first] = stationIds;
  const station = first === undefined ? "" : stationName(useCatalogue.getState().byId, first);
  const plain = station.replaceAll(/[^\p{L}\p{M}\p{N} .,_+()-]/gu, "").trim();
  const named = stationIds.length === 1 && scheduleName.safeParse(plain).success;
  const what = named ? plain : many(stationIds.length, "station");
  return `${what} daily`;
}

/** Opens the form with the data that the views show; does nothing without selected stations. */
export function newSchedule(exports?: Schedule["exports"]): void {
  const data = currentData();
  const connectionId = useConnection.getState().current?.info.id;
  if (!data || connectionId === undefined) return;
  const { settings } = useSettings.getState();
  const { moving } = useWorkspace.getState();
  const stationIds = data.stations.kind === "list" ? data.stations.stationIds : [];
  const schedule: Schedule = {
    ...DEFAULTS,
    ...data,
    name: proposedName(stationIds),
    connectionId,
    range: moving ?? YESTERDAY,
    exports: exports ?? [
      {
        kind: "own",
        format: "netcdf",
        heightReference: settings.heightReference,
        template: settings.exportTemplate,
      },
    ],
  };
  openForm(schedule);
}

/** Opens the form with a schedule that downloads the data of a saved export and writes its file. */
export function scheduleSaved({ name, connectionId, stationIds, variables, ...saved }: SavedExport): void {
  const { intervalSeconds, raw, resampled, zone, range } = saved;
  const schedule: Schedule = {
    ...DEFAULTS,
    name,
    connectionId,
    stations: { kind: "list", stationIds },
    variables,
    intervalSeconds,
    raw,
    resampled,
    zone,
    range:
      range.kind === "relative" ? DOWNLOAD_RANGES[range.period] : range.kind === "moving" ? range.moving : YESTERDAY,
    exports: [{ kind: "saved", name }],
  };
  openForm(schedule);
}

/** Opens the form with a copy under another name. */
export function duplicateSchedule(schedule: Schedule): void {
  openForm({ ...schedule, onFailure: null, onSuccess: null });
}
