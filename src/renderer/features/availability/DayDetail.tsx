import { useMemo } from "react";
import type { SeriesAvailability } from "#shared/bridge/methods/availability.ts";
import type { JobSpec } from "#shared/job/job.ts";
import type { PlotTheme } from "#shared/plot/theme.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { copyText } from "../../stores/copyText.ts";
import { selectStations } from "../../stores/workspace.ts";
import { Button } from "../../ui/Button.tsx";
import { MiddleCut } from "../../ui/MiddleCut.tsx";
import { type MenuPosition, openContextMenu } from "../../ui/ContextMenu.tsx";
import { startFetch } from "../fetch/useEstimate.ts";
import { FetchButton } from "../fetch/FetchButton.tsx";
import { openGuide } from "../guide/open.ts";
import { availabilityOf } from "../../ask/questions.ts";
import { useAskHere } from "../../ask/useAsk.ts";
import { binStyle } from "./binStyle.ts";
import { edgePx } from "./calendarGrid.ts";
import { rowShapes } from "./rowShapes.ts";
import { SceneCanvas } from "../../plot/figure/SceneCanvas.tsx";
import { utcDay } from "../../ui/text.ts";
import { cellWords, type Layer, type StationLine, sumCounts } from "./table.ts";
import classes from "./availability.module.css";

interface StationDay {
  readonly availability: SeriesAvailability;
  readonly line: StationLine;
  readonly day: number;
  /** Mode and variable of the table. */
  readonly spec: JobSpec;
  readonly layer: Layer;
}

interface DayMenu extends StationDay {
  readonly at: MenuPosition;
  readonly show: () => void;
}

/** Opens the context menu of a day of a station. */
export function openDayMenu({ at, availability, line, day, spec, layer, show }: DayMenu): void {
  const { stationId, name, index } = line;
  const startMs = availability.firstMs + day * DAY_MS;
  const daySpec = { ...spec, stationIds: [stationId], range: { startMs, endMs: startMs + DAY_MS } };
  const words = `${name}, ${utcDay(startMs)} UTC: ${cellWords(availability, index, day, layer)}`;
  openContextMenu({
    label: `${name}, ${utcDay(startMs)}`,
    ...at,
    entries: [
      binStyle(availability, index, day).requestedShare < 1 && {
        id: "fetch",
        label: layer === "here" ? "Fetch this day" : "Ask the service about this day",
        onAction: () => void startFetch(daySpec),
      },
      { id: "show", label: "Show in Series", onAction: show },
      { id: "only", label: `Select only ${name}`, onAction: () => selectStations([stationId]) },
      null,
      {
        id: "copy",
        label: "Copy the counts of this day",
        onAction: () => copyText(words, "The counts were copied."),
      },
      { id: "copy-id", label: "Copy ID", onAction: () => copyText(stationId, "The station ID was copied.") },
      { id: "causes", label: "What the causes mean", onAction: () => openGuide("missing-data", "the-causes") },
    ],
  });
}

interface DayDetailProps extends StationDay {
  /** A hovered day shows no buttons: they belong to the selected day. */
  readonly isHovered: boolean;
  readonly onOpen: () => void;
}

/** Details of one day of one station: counts, completeness by hour, and actions. */
export function DayDetail({ availability, line, day, spec, layer, isHovered, onOpen }: DayDetailProps) {
  const startMs = availability.firstMs + day * DAY_MS;
  const range = { startMs, endMs: startMs + DAY_MS };
  const { intervalSeconds, raw } = spec;
  const variable = spec.variables[0] ?? "ztd";
  const stationIds = [line.stationId];
  const input = { stationIds, variable, range, mode: { intervalSeconds, raw }, bin: "hour" as const };
  const hours = useAskHere(availabilityOf, input, { delayMs: 60 });
  return (
    <section aria-label="Day" className="stack flex-none gap-1 px-3 pt-1 pb-2 border-t border-line">
      <div className="row flex-wrap gap-2 min-h-9">
        <h3 className={`${classes["detailName"]} max-w-[320px]`}>
          <MiddleCut text={line.name} />
        </h3>
        <span>{utcDay(startMs)} UTC</span>
        <span className="flex-1" />
        {isHovered ? null : (
          <>
            <FetchButton key={`${line.stationId} ${startMs} ${variable}`} spec={{ ...spec, stationIds, range }} />
            <Button onPress={onOpen}>Show in Series</Button>
          </>
        )}
      </div>
      <p className="text-faint" aria-live={isHovered ? "off" : "polite"}>
        {cellWords(availability, line.index, day, layer)}
        {hours.value?.stations[0]?.failedBecause ? ` · failed: ${hours.value.stations[0].failedBecause}` : ""}
      </p>
      {layer === "here" ? <Hours availability={hours.value} /> : null}
    </section>
  );
}

const HOURS = [0, 3, 6, 9, 12, 15, 18, 21, 24] as const;

function Hours({ availability }: { readonly availability: SeriesAvailability | null }) {
  const draw = useMemo(() => {
    const styles =
      availability && Array.from({ length: availability.bins }, (_, bin) => binStyle(availability, 0, bin));
    return (width: number, height: number, theme: PlotTheme) =>
      styles ? rowShapes(styles, { x: 0, y: 0, width, height }, theme) : [];
  }, [availability]);
  return (
    <div className={classes["hours"]}>
      <SceneCanvas label={hourWords(availability)} draw={draw} className="h-5" />
      <div aria-hidden className={`${classes["hourTicks"]} relative h-4 text-faint text-tiny leading-4`}>
        {HOURS.map((hour) => (
          <span key={hour} style={{ left: `${edgePx(hour, 24, 100)}%` }}>
            {String(hour).padStart(2, "0")}
          </span>
        ))}
      </div>
    </div>
  );
}

/** Describes the strip of hours for screen readers: received and expected epochs of each hour. */
function hourWords(availability: SeriesAvailability | null): string {
  if (!availability) return "Hours of the day";
  const hours = Array.from({ length: availability.bins }, (_, hour) => {
    const { received, expected } = sumCounts(availability, 0, hour, hour + 1);
    return `${String(hour).padStart(2, "0")} h ${received} of ${expected}`;
  });
  return `Received of expected by hour: ${hours.join(", ")}`;
}
