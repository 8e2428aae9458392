import type { SeriesAvailability } from "#shared/bridge/methods/availability.ts";
import type { JobSpec } from "#shared/job/job.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { copyText } from "../../stores/copyText.ts";
import { selectStations } from "../../stores/workspace.ts";
import { type MenuPosition, openContextMenu } from "../../ui/ContextMenu.tsx";
import { startFetch } from "../fetch/startFetch.ts";
import { openGuide } from "../guide/open.ts";
import { binStyle } from "./binStyle.ts";
import { cellWords, dayText, type StationLine } from "./table.ts";

interface DayMenu {
  readonly at: MenuPosition;
  readonly connectionId: string;
  readonly availability: SeriesAvailability;
  readonly line: StationLine;
  readonly day: number;
  /** Mode and variable of the table. */
  readonly spec: JobSpec;
  readonly show: () => void;
}

/** Opens the context menu of a day of a station. */
export function openDayMenu({ at, connectionId, availability, line, day, spec, show }: DayMenu): void {
  const { stationId, name, index } = line;
  const startMs = availability.firstMs + day * DAY_MS;
  const daySpec = { ...spec, stationIds: [stationId], range: { startMs, endMs: startMs + DAY_MS } };
  const fetchDay = {
    id: "fetch",
    label: "Fetch this day",
    onAction: () => void startFetch(connectionId, daySpec, false),
  };
  const words = `${name}, ${dayText(startMs)} UTC: ${cellWords(availability, index, day)}`;
  openContextMenu({
    label: `${name}, ${dayText(startMs)}`,
    ...at,
    entries: [
      ...(binStyle(availability, index, day).requestedShare < 1 ? [fetchDay] : []),
      { id: "show", label: "Show in Series", onAction: show },
      { id: "only", label: `Select only ${name}`, onAction: () => selectStations([stationId]) },
      null,
      { id: "copy", label: "Copy the counts of this day", onAction: () => copyText(words, "The counts are copied.") },
      { id: "copy-id", label: "Copy ID", onAction: () => copyText(stationId, "The station ID was copied.") },
      { id: "causes", label: "What the causes mean", onAction: () => openGuide("missing-data", "the-causes") },
    ],
  });
}
