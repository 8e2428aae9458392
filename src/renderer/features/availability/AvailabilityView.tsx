import { CalendarDays } from "lucide-react";
import { useMemo, useState } from "react";
import { DAY_SECONDS } from "#shared/time/intervals.ts";
import { DAY_MS, type UtcMs } from "#shared/time/utc.ts";
import type { GapCause } from "#shared/series/gap.ts";
import type { SeriesAvailability } from "#shared/bridge/methods/availability.ts";
import { GAP_MARKS, gapMark } from "#shared/plot/gapMarks.ts";
import { Button } from "../../ui/Button.tsx";
import { NoStation } from "../catalogue/NoStation.tsx";
import { FaultStrip } from "../../ui/notes.tsx";
import { focusStation } from "../../stores/focus.ts";
import { showRange } from "../../stores/range.ts";
import { useBarFetches, useChips } from "../../stores/oneVariable.ts";
import { addStation, useWorkspace } from "../../stores/workspace.ts";
import { choicesFrom, Segments } from "../../ui/choices.tsx";
import { count, utcDay } from "../../ui/text.ts";
import classes from "./availability.module.css";
import { Calendar } from "./Calendar.tsx";
import { type Cell, MAX_DAYS, shownDays } from "./calendarGrid.ts";
import { DayDetail, openDayMenu } from "./DayDetail.tsx";
import { SaveTable } from "./SaveTable.tsx";
import { cellWords, type Layer, LINE_SORT, sortLines, type StationLine, stationLines } from "./table.ts";
import { HatchSwatch } from "../../ui/HatchSwatch.tsx";
import { shownOf, useAskHere } from "../../ask/useAsk.ts";
import { binStyle, type Level, LEVELS } from "./binStyle.ts";
import { z } from "zod";
import { SCALAR_VARIABLES, type Variable } from "#shared/service/variables.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { jobSpecOf, useSelection, wholeOf } from "../../stores/selection.ts";
import { availabilityOf } from "../../ask/questions.ts";
import { pane, usePane } from "../../stores/pane.ts";

/** The completeness of every station by day, with the causes of gaps. */
export function AvailabilityView() {
  const table = useTableState();
  if (table.stationCount === 0) {
    return (
      <NoStation
        icon={CalendarDays}
        actions={
          table.scope === "chosen" ? <Button onPress={() => table.setScope("all")}>Show all stations</Button> : null
        }
      >
        Select stations in the list. Each gets a row and each UTC day a column, coloured by completeness.
      </NoStation>
    );
  }
  return <AvailabilityTable table={table} />;
}

interface TableProps {
  readonly table: TableState;
}

/** The controls, the calendar, and the details of the day under the cursor. */
function AvailabilityTable({ table }: TableProps) {
  const { fault } = table.answer;
  useBarFetches(table.spec);
  const availability = shownOf(table.answer);
  return (
    <div className={classes["view"]}>
      <Head table={table} />
      {fault ? (
        <div className="px-3 py-2 text-quiet">
          <FaultStrip fault={fault} />
        </div>
      ) : null}
      {!availability && !fault ? <p className="px-3 py-2 text-quiet">Counting cached rows …</p> : null}
      {availability ? <Days table={table} availability={availability} /> : null}
    </div>
  );
}

/** Shows a day of a station in Series. */
function showDay({ stationId }: StationLine, startMs: UtcMs): void {
  addStation(stationId);
  showRange({ startMs, endMs: startMs + DAY_MS });
  useWorkspace.setState({ view: "series" });
}

/** The calendar, its legend, and the details of the day under the pointer or else of the selected one. */
function Days({ table, availability }: TableProps & { readonly availability: SeriesAvailability }) {
  const [selected, setSelected] = useState<SelectedDay | null>(null);
  const [hovered, setHovered] = useState<Cell | null>(null);
  const { lines, spec, layer } = table;
  const cell = selectedCell(lines, availability, selected);
  const selectedLine = cell && lines[cell.row];
  if (!cell || !selectedLine) return null;
  const isHovered = hovered !== null && hovered.row < lines.length && hovered.day < availability.bins;
  const seen = isHovered ? hovered : cell;
  const seenLine = lines[seen.row] ?? selectedLine;
  const dayMs = (day: number): UtcMs => availability.firstMs + day * DAY_MS;
  const withLine =
    (act: (line: StationLine, day: number) => void) =>
    ({ row, day }: Cell): void => {
      const line = lines[row];
      if (line) act(line, day);
    };
  const detail = { availability, spec, layer };
  return (
    <>
      <Calendar
        availability={availability}
        lines={lines}
        sort={table.sort}
        onSort={table.setSort}
        cell={cell}
        onCell={withLine(({ stationId }, day) => {
          setSelected({ stationId, dayMs: dayMs(day) });
          focusStation(stationId);
        })}
        onHover={setHovered}
        onOpen={withLine((line, day) => showDay(line, dayMs(day)))}
        onMenu={(at, place) =>
          withLine((line, day) =>
            openDayMenu({ ...detail, at: place, line, day, show: () => showDay(line, dayMs(day)) }),
          )(at)
        }
        words={`${utcDay(dayMs(cell.day))}: ${cellWords(availability, selectedLine.index, cell.day, layer)}`}
      />
      <Legend availability={availability} layer={layer} />
      <DayDetail
        {...detail}
        line={seenLine}
        day={seen.day}
        isHovered={seen.row !== cell.row || seen.day !== cell.day}
        onOpen={() => showDay(seenLine, dayMs(seen.day))}
      />
    </>
  );
}

interface SelectedDay {
  readonly stationId: string;
  readonly dayMs: UtcMs;
}

/** Returns the position of the selected day in the sorted table; by default the first station's last day up to today. */
function selectedCell(
  lines: readonly StationLine[],
  availability: SeriesAvailability,
  selected: SelectedDay | null,
): Cell | null {
  if (lines.length === 0) return null;
  const row = selected ? lines.findIndex((l) => l.stationId === selected.stationId) : -1;
  const day = Math.floor(((selected?.dayMs ?? availability.nowMs) - availability.firstMs) / DAY_MS);
  return { row: Math.max(0, row), day: Math.min(availability.bins - 1, Math.max(0, day)) };
}

function Head({ table }: Pick<TableProps, "table">) {
  const { layer, scope, variable, stationCount, isTruncated, answer, lines } = table;
  return (
    <div className="row flex-wrap gap-x-3 gap-y-2 px-3 py-2">
      <Segments<Scope>
        label="Which stations"
        choices={choicesFrom({ chosen: "Selected", all: "All stations" })}
        value={scope}
        onChange={table.setScope}
      />
      <Segments<Layer>
        label="Which data"
        choices={choicesFrom({ here: "In the cache", service: "At the service" })}
        value={layer}
        onChange={table.setLayer}
      />
      {stationCount > MAX_STATIONS ? (
        <span className="text-faint">
          the first {count(MAX_STATIONS)} of {count(stationCount)}
        </span>
      ) : null}
      {isTruncated ? <span className="text-faint">the last {MAX_DAYS} days of the time range</span> : null}
      <span className="flex-1" />
      {answer.value ? <SaveTable availability={answer.value} lines={lines} variable={variable} /> : null}
    </div>
  );
}

/** Legend of the completeness levels and of the gap causes that occur in the table. */
function Legend({ availability, layer }: { readonly availability: SeriesAvailability; readonly layer: Layer }) {
  const { causes, hasArriving } = useMemo(() => causesIn(availability), [availability]);
  const provisional = gapMark("mayStillArrive");
  return (
    <ul aria-label="Legend" className={classes["legend"]}>
      <li className="text-faint">{layer === "here" ? "Complete" : "At the service"}</li>
      {(layer === "here" ? LEVELS : LEVELS.slice(0, 1)).map((level) => (
        <li key={level.label}>
          <LevelSwatch level={level} />
          {layer === "here" ? level.label : "has data"}
        </li>
      ))}
      {GAP_MARKS.filter((mark) => causes.has(mark.cause) && mark !== provisional).map((mark) => (
        <li key={mark.cause} title={mark.meaning}>
          <HatchSwatch mark={mark} />
          {mark.word}
        </li>
      ))}
      {hasArriving ? (
        <li title="Data may still arrive or change">
          {causes.has("mayStillArrive") ? <HatchSwatch mark={provisional} /> : null}
          <span aria-hidden data-swatch className="w-5 h-0.5 bg-(--ok)" />
          {provisional.word}
        </li>
      ) : null}
    </ul>
  );
}

function LevelSwatch({ level }: { readonly level: Level }) {
  return (
    <svg aria-hidden width="20" height="12">
      <rect width="20" height="12" fill={`var(${level.colour})`} fillOpacity={level.opacity} />
    </svg>
  );
}

function causesIn(availability: SeriesAvailability): {
  readonly causes: ReadonlySet<GapCause>;
  readonly hasArriving: boolean;
} {
  const causes = new Set<GapCause>();
  for (let station = 0; station < availability.stations.length; station++) {
    for (let bin = 0; bin < availability.bins; bin++) {
      const style = binStyle(availability, station, bin);
      if (typeof style.fill === "string") causes.add(style.fill);
      if (style.requestedShare < 1) causes.add(style.restCause);
    }
  }
  return { causes, hasArriving: availability.mayStillArrive.some((n) => n > 0) };
}

const MAX_STATIONS = 500;
const scope = z.enum(["chosen", "all"]);
type Scope = z.output<typeof scope>;
const SCOPE = pane("availability.scope", scope.catch("chosen"));
/** A satellite has all of its columns or none. */
const OFFERED: readonly Variable[] = [...SCALAR_VARIABLES, "prn"];
const LAYER = pane("availability.layer", z.enum(["here", "service"]).catch("here"));

type TableState = ReturnType<typeof useTableState>;

/** Reads the table: whole UTC days of the window's time range, for the selected stations or for all. */
function useTableState() {
  const chosen = useSelection();
  const stations = useCatalogue((s) => s.catalogue.stations);
  const byId = useCatalogue((s) => s.byId);
  const [scope, setScope] = usePane(SCOPE);
  const variable = useChips(OFFERED);
  const [sort, setSort] = usePane(LINE_SORT);
  const [layer, setLayer] = usePane(LAYER);
  const { intervalSeconds: chosenSeconds, raw } = jobSpecOf(chosen);
  // An interval without observations has no mean, so daily means show which days have data.
  const intervalSeconds = layer === "service" ? DAY_SECONDS : chosenSeconds;
  const ids = scope === "all" ? stations.map((s) => s.id) : chosen.stationIds;
  const stationIds = ids.slice(0, MAX_STATIONS);
  const { startMs, endMs, isTruncated } = shownDays(chosen.range);
  const mode = { intervalSeconds, raw };
  const input = { stationIds, variable, range: { startMs, endMs }, mode, bin: "day" as const };
  const answer = useAskHere(availabilityOf, stationIds.length === 0 ? null : input, {
    // The earlier answer has its own days and stations; it is shown until the next one is there, never one of another series.
    keepFor: [variable, mode],
    delayMs: 80,
  });
  const found = shownOf(answer);
  const lines = useMemo(() => (found ? sortLines(stationLines(found, byId), sort) : []), [found, byId, sort]);
  return {
    layer,
    setLayer,
    scope,
    setScope,
    variable,
    sort,
    setSort,
    /** The download that would fill the table. */
    spec: { stationIds, variables: wholeOf(variable), range: { startMs, endMs }, intervalSeconds, raw },
    /** Number of stations, including those beyond `MAX_STATIONS`. */
    stationCount: ids.length,
    /** Whether the time range is longer than the table. */
    isTruncated,
    answer,
    lines,
  };
}
