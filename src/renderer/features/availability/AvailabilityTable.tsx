import { useState, useMemo } from "react";
import { variableInfo } from "#shared/service/variables.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { useConnection } from "../../stores/connection.ts";
import { focusStation } from "../../stores/focus.ts";
import { showRange } from "../../stores/range.ts";
import { selectStations, useWorkspace } from "../../stores/workspace.ts";
import { Button } from "../../ui/Button.tsx";
import { Segments, Select } from "../../ui/choices.tsx";
import { FaultNote } from "../../ui/notes.tsx";
import { count } from "../../ui/text.ts";
import { startFetch } from "../fetch/startFetch.ts";
import { useCost } from "../fetch/useCost.ts";
import { fetchWords } from "../fetch/words.ts";
import classes from "./availability.module.css";
import { Calendar } from "./Calendar.tsx";
import { type Cell, MOST_DAYS } from "./cells.ts";
import { DayDetail } from "./DayDetail.tsx";
import { openDayMenu } from "./dayMenu.ts";
import { SaveMenu } from "./SaveMenu.tsx";
import { MOST_STATIONS, type Scope, type Shown } from "./useShown.ts";
import { cellWords, dayText } from "./words.ts";
import type { GapCause } from "#shared/series/gap.ts";
import type { SeriesAvailability } from "#shared/bridge/methods/availability.ts";
import { GAP_MARKS } from "#shared/plot/gapMarks.ts";
import { HatchSwatch } from "../../ui/HatchSwatch.tsx";
import { type Level, LEVELS, lookOf } from "./looks.ts";

interface TableProps {
  readonly connectionId: string;
  readonly shown: Shown;
}

/** Choices, calendar, and the day under the cursor. */
export function AvailabilityTable({ connectionId, shown }: TableProps) {
  const [chosen, setChosen] = useState<{ readonly stationId: string; readonly dayMs: number } | null>(null);
  const [hovered, setHovered] = useState<Cell | null>(null);
  const { lines, answer } = shown;
  const found = answer.value;
  const cell = found ? cellOf(shown, chosen) : null;
  const seen = hovered && hovered.row < lines.length && found && hovered.day < found.bins ? hovered : cell;
  const line = seen ? lines[seen.row] : undefined;
  const chosenLine = cell ? lines[cell.row] : undefined;

  const choose = ({ row, day }: Cell): void => {
    const next = lines[row];
    if (!next || !found) return;
    setChosen({ stationId: next.stationId, dayMs: found.firstMs + day * DAY_MS });
    focusStation(next.stationId);
  };
  const open = ({ row, day }: Cell): void => {
    const next = lines[row];
    if (!next || !found) return;
    const startMs = found.firstMs + day * DAY_MS;
    const { stationIds } = useWorkspace.getState();
    if (!stationIds.includes(next.stationId)) selectStations([...stationIds, next.stationId]);
    showRange({ startMs, endMs: startMs + DAY_MS });
    useWorkspace.setState({ view: "series" });
  };
  return (
    <div className={classes["view"]}>
      <Head connectionId={connectionId} shown={shown} />
      {answer.fault ? (
        <div className={classes["notice"]}>
          <FaultNote fault={answer.fault} />
        </div>
      ) : null}
      {!found && !answer.fault ? <p className={classes["notice"]}>Counting cached rows …</p> : null}
      {found && cell ? (
        <>
          <Calendar
            found={found}
            lines={lines}
            sort={shown.sort}
            onSort={shown.setSort}
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
                found,
                line: under,
                day,
                spec: shown.spec,
                show: () => open({ row, day }),
              });
            }}
            words={
              chosenLine
                ? `${dayText(found.firstMs + cell.day * DAY_MS)}: ${cellWords(found, chosenLine.place, cell.day)}`
                : ""
            }
          />
          <Legend found={found} />
          {line && seen ? (
            <DayDetail
              connectionId={connectionId}
              found={found}
              line={line}
              day={seen.day}
              spec={shown.spec}
              isHovered={seen !== cell && !(seen.row === cell.row && seen.day === cell.day)}
              onOpen={() => open(seen)}
            />
          ) : null}
        </>
      ) : null}
    </div>
  );
}

/** The chosen cell in the table as it is sorted now; else the first station's last day, today at most. */
function cellOf(
  { lines, answer }: Shown,
  chosen: { readonly stationId: string; readonly dayMs: number } | null,
): Cell | null {
  const found = answer.value;
  if (!found || lines.length === 0) return null;
  const row = chosen ? lines.findIndex((l) => l.stationId === chosen.stationId) : -1;
  const day = Math.floor(((chosen?.dayMs ?? found.nowMs) - found.firstMs) / DAY_MS);
  return { row: Math.max(0, row), day: Math.min(found.bins - 1, Math.max(0, day)) };
}

function Head({ connectionId, shown }: TableProps) {
  const { scope, variable, variables, spec, stations, isCut, answer, lines } = shown;
  return (
    <div className={classes["head"]}>
      <Segments<Scope>
        label="Which stations"
        choices={[
          { value: "chosen", label: "Selected" },
          { value: "all", label: "All stations" },
        ]}
        value={scope}
        onChange={shown.setScope}
      />
      {variables.length > 1 ? (
        <Select
          label="Variable of the calendar"
          choices={variables.map((v) => ({ value: v, label: variableInfo(v).label }))}
          value={variable}
          onChange={shown.setVariable}
        />
      ) : (
        <span>{variableInfo(variable).label}</span>
      )}
      {stations > MOST_STATIONS ? (
        <span className={classes["quiet"]}>
          the first {count(MOST_STATIONS)} of {count(stations)}
        </span>
      ) : null}
      {isCut ? <span className={classes["quiet"]}>the last {MOST_DAYS} days of the time range</span> : null}
      <span className={classes["spring"]} />
      <FetchShown key={JSON.stringify(spec)} connectionId={connectionId} spec={spec} />
      {answer.value ? <SaveMenu found={answer.value} lines={lines} variable={variable} /> : null}
    </div>
  );
}

/** What the whole table lacks, and what bringing it costs. */
function FetchShown({ connectionId, spec }: { readonly connectionId: string; readonly spec: Shown["spec"] }) {
  const cost = useCost(connectionId, spec);
  const isOffline = useConnection((s) => s.connectivity?.state === "offline");
  if (cost === null) return null;
  return (
    <span className={classes["fetch"]}>
      <span className={classes["quiet"]}>In this table:</span>
      <Button onPress={() => void startFetch(connectionId, spec, false)}>{fetchWords(cost, isOffline)}</Button>
    </span>
  );
}

/** What colours and hatches mean: every step of completeness, and the causes in sight. */
function Legend({ found }: { readonly found: SeriesAvailability }) {
  const { causes, hasNotFinal } = useMemo(() => causesIn(found), [found]);
  return (
    <ul aria-label="Legend" className={classes["legend"]}>
      <li className={classes["quiet"]}>Complete</li>
      {LEVELS.map((level) => (
        <li key={level.word}>
          <LevelSwatch level={level} />
          {level.word}
        </li>
      ))}
      {GAP_MARKS.filter((mark) => causes.has(mark.cause)).map((mark) => (
        <li key={mark.cause} title={mark.meaning}>
          <HatchSwatch mark={mark} />
          {mark.word}
        </li>
      ))}
      {hasNotFinal ? (
        <li title="Data may still arrive or change">
          <span aria-hidden className={classes["open"]} />
          may still change
        </li>
      ) : null}
    </ul>
  );
}

function LevelSwatch({ level }: { readonly level: Level }) {
  return (
    <svg aria-hidden width="20" height="12">
      <rect width="20" height="12" fill={`var(${level.colour})`} fillOpacity={level.strength} />
    </svg>
  );
}

function causesIn(found: SeriesAvailability): {
  readonly causes: ReadonlySet<GapCause>;
  readonly hasNotFinal: boolean;
} {
  const causes = new Set<GapCause>();
  for (let station = 0; station < found.stations.length; station++) {
    for (let bin = 0; bin < found.bins; bin++) {
      const look = lookOf(found, station, bin);
      if (typeof look.fill === "string") causes.add(look.fill);
      if (look.askedShare < 1) causes.add(look.rest);
    }
  }
  return { causes, hasNotFinal: found.notFinal.some((n) => n > 0) };
}
