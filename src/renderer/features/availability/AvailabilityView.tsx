import { CalendarDays } from "lucide-react";
import { useMemo, useState } from "react";
import { variableInfo } from "#shared/service/variables.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import type { GapCause } from "#shared/series/gap.ts";
import type { SeriesAvailability } from "#shared/bridge/methods/availability.ts";
import { GAP_MARKS, gapMark } from "#shared/plot/gapMarks.ts";
import { useConnection } from "../../stores/connection.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { Button } from "../../ui/Button.tsx";
import { EmptyState, FaultNote } from "../../ui/notes.tsx";
import { MAX_STATIONS, type Scope, type TableState, useTableState } from "./useTableState.ts";
import { focusStation } from "../../stores/focus.ts";
import { showRange } from "../../stores/range.ts";
import { addStation, useWorkspace } from "../../stores/workspace.ts";
import { Segments, Select } from "../../ui/choices.tsx";
import { count } from "../../ui/text.ts";
import { FetchButton } from "../fetch/FetchButton.tsx";
import classes from "./availability.module.css";
import { Calendar } from "./Calendar.tsx";
import { type Cell, MAX_DAYS } from "./calendarGrid.ts";
import { DayDetail, openDayMenu } from "./DayDetail.tsx";
import { SaveMenu } from "./SaveMenu.tsx";
import { cellWords, dayText, type Layer } from "./table.ts";
import { HatchSwatch } from "../../ui/HatchSwatch.tsx";
import { shownOf } from "../../ask/useAsk.ts";
import { binStyle, type Level, LEVELS } from "./binStyle.ts";

/** The completeness of every station by day, with the causes of gaps. */
export function AvailabilityView() {
  const connectionId = useConnection((s) => s.current?.info.id ?? null);
  return connectionId === null ? null : <Availability key={connectionId} connectionId={connectionId} />;
}

function Availability({ connectionId }: { readonly connectionId: string }) {
  const table = useTableState(connectionId);
  const known = useCatalogue((s) => s.catalogue.stations.length);
  if (table.stationCount === 0) {
    return (
      <EmptyState
        icon={<CalendarDays aria-hidden />}
        title="No station selected"
        actions={
          known > 0 && table.scope === "chosen" ? (
            <Button onPress={() => table.setScope("all")}>Show all stations</Button>
          ) : undefined
        }
      >
        Select stations in the list. Each gets a row and each UTC day a column, coloured by completeness.
      </EmptyState>
    );
  }
  return <AvailabilityTable connectionId={connectionId} table={table} />;
}

interface TableProps {
  readonly connectionId: string;
  readonly table: TableState;
}

/** The controls, the calendar, and the details of the day under the cursor. */
function AvailabilityTable({ connectionId, table }: TableProps) {
  const [selected, setSelected] = useState<{ readonly stationId: string; readonly dayMs: number } | null>(null);
  const [hovered, setHovered] = useState<Cell | null>(null);
  const { lines, answer } = table;
  const availability = shownOf(answer);
  const cell = availability ? cellOf(table, selected) : null;
  const seen =
    hovered && hovered.row < lines.length && availability && hovered.day < availability.bins ? hovered : cell;
  const line = seen ? lines[seen.row] : undefined;
  const selectedLine = cell ? lines[cell.row] : undefined;

  const choose = ({ row, day }: Cell): void => {
    const next = lines[row];
    if (!next || !availability) return;
    setSelected({ stationId: next.stationId, dayMs: availability.firstMs + day * DAY_MS });
    focusStation(next.stationId);
  };
  const open = ({ row, day }: Cell): void => {
    const next = lines[row];
    if (!next || !availability) return;
    const startMs = availability.firstMs + day * DAY_MS;
    addStation(next.stationId);
    showRange({ startMs, endMs: startMs + DAY_MS });
    useWorkspace.setState({ view: "series" });
  };
  return (
    <div className={classes["view"]}>
      <Head connectionId={connectionId} table={table} />
      {answer.fault ? (
        <div className="px-3 py-2 text-quiet">
          <FaultNote fault={answer.fault} />
        </div>
      ) : null}
      {!availability && !answer.fault ? <p className="px-3 py-2 text-quiet">Counting cached rows …</p> : null}
      {availability && cell ? (
        <>
          <Calendar
            availability={availability}
            lines={lines}
            sort={table.sort}
            onSort={table.setSort}
            cell={cell}
            onCell={choose}
            onHover={setHovered}
            onOpen={open}
            onMenu={({ row, day }, at) => {
              const under = lines[row];
              if (!under) return;
              openDayMenu({
                at,
                connectionId,
                availability,
                line: under,
                day,
                spec: table.spec,
                layer: table.layer,
                show: () => open({ row, day }),
              });
            }}
            words={
              selectedLine
                ? `${dayText(availability.firstMs + cell.day * DAY_MS)}: ${cellWords(availability, selectedLine.index, cell.day, table.layer)}`
                : ""
            }
          />
          <Legend availability={availability} layer={table.layer} />
          {line && seen ? (
            <DayDetail
              connectionId={connectionId}
              availability={availability}
              line={line}
              day={seen.day}
              spec={table.spec}
              layer={table.layer}
              isHovered={seen !== cell && !(seen.row === cell.row && seen.day === cell.day)}
              onOpen={() => open(seen)}
            />
          ) : null}
        </>
      ) : null}
    </div>
  );
}

/** Returns the position of the selected day in the sorted table; by default the first station's last day up to today. */
function cellOf(
  { lines, answer }: TableState,
  selected: { readonly stationId: string; readonly dayMs: number } | null,
): Cell | null {
  const availability = shownOf(answer);
  if (!availability || lines.length === 0) return null;
  const row = selected ? lines.findIndex((l) => l.stationId === selected.stationId) : -1;
  const day = Math.floor(((selected?.dayMs ?? availability.nowMs) - availability.firstMs) / DAY_MS);
  return { row: Math.max(0, row), day: Math.min(availability.bins - 1, Math.max(0, day)) };
}

function Head({ connectionId, table }: TableProps) {
  const { layer, scope, variable, variables, spec, stationCount, isTruncated, answer, lines } = table;
  return (
    <div className="row flex-wrap gap-x-3 gap-y-2 px-3 py-2">
      <Segments<Scope>
        label="Which stations"
        choices={[
          { value: "chosen", label: "Selected" },
          { value: "all", label: "All stations" },
        ]}
        value={scope}
        onChange={table.setScope}
      />
      <Segments<Layer>
        label="Which data"
        choices={[
          { value: "here", label: "In the cache" },
          { value: "service", label: "At the service" },
        ]}
        value={layer}
        onChange={table.setLayer}
      />
      {variables.length > 1 ? (
        <Select
          label="Variable of the calendar"
          choices={variables.map((v) => ({ value: v, label: variableInfo(v).label }))}
          value={variable}
          onChange={table.setVariable}
        />
      ) : (
        <span>{variableInfo(variable).label}</span>
      )}
      {stationCount > MAX_STATIONS ? (
        <span className="text-faint">
          the first {count(MAX_STATIONS)} of {count(stationCount)}
        </span>
      ) : null}
      {isTruncated ? <span className="text-faint">the last {MAX_DAYS} days of the time range</span> : null}
      <span className="flex-1" />
      <FetchButton
        key={JSON.stringify(spec)}
        connectionId={connectionId}
        spec={spec}
        label={layer === "here" ? "In this table:" : "Which days have data:"}
      />
      {answer.value ? <SaveMenu availability={answer.value} lines={lines} variable={variable} /> : null}
    </div>
  );
}

/** Legend of the completeness levels and of the gap causes that occur in the table. */
function Legend({ availability, layer }: { readonly availability: SeriesAvailability; readonly layer: Layer }) {
  const { causes, hasNotFinal } = useMemo(() => causesIn(availability), [availability]);
  const provisional = gapMark("notFinal");
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
      {hasNotFinal ? (
        <li title="Data may still arrive or change">
          {causes.has("notFinal") ? <HatchSwatch mark={provisional} /> : null}
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
  readonly hasNotFinal: boolean;
} {
  const causes = new Set<GapCause>();
  for (let station = 0; station < availability.stations.length; station++) {
    for (let bin = 0; bin < availability.bins; bin++) {
      const style = binStyle(availability, station, bin);
      if (typeof style.fill === "string") causes.add(style.fill);
      if (style.requestedShare < 1) causes.add(style.restCause);
    }
  }
  return { causes, hasNotFinal: availability.notFinal.some((n) => n > 0) };
}
