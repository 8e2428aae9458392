import { z } from "zod";
import { X } from "lucide-react";
import { useEffect, useRef } from "react";
import type { SeriesStatistics } from "#shared/bridge/methods/series.ts";
import { completeness, percent } from "#shared/series/statistics.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { nameAndUnit, quantityOf, roundedValue } from "#shared/plot/values.ts";
import { useCommand } from "../../stores/commands.ts";
import { IconButton } from "../../ui/Button.tsx";
import { FaultStrip } from "../../ui/notes.tsx";
import { numberColumn, type TableColumn } from "../../ui/grid/columns.ts";
import { Table } from "../../ui/grid/Table.tsx";
import { count } from "../../ui/text.ts";
import { type LegendStation, StationLine } from "./Legend.tsx";
import type { SeriesQuery } from "./query.ts";
import classes from "./series.module.css";
import { statisticsOf } from "../../ask/questions.ts";
import { shownOf, useAsk } from "../../ask/useAsk.ts";
import { pane, usePane } from "../../stores/pane.ts";

const DELAY_MS = 250;

interface StatisticsProps {
  readonly query: SeriesQuery;
  readonly panels: readonly Variable[];
  readonly stations: readonly LegendStation[];
  readonly range: TimeRange;
}

export const STATISTICS_OPEN = pane("series.statistics", z.boolean().catch(false));

/** Statistics of the visible range for each variable and station, if the user opened them. */
export function Statistics({ query, panels, stations, range }: StatisticsProps) {
  const [isOpen, setOpen] = usePane(STATISTICS_OPEN);
  useCommand("statistics", () => setOpen(!isOpen));
  const shown = stations.filter((s) => !s.isHidden);
  const input = { ...query, variables: panels, stationIds: shown.map((s) => s.id), range };
  const answer = useAsk(statisticsOf, isOpen && shown.length > 0 ? input : null, {
    keepFor: [query.connectionId, query.mode, panels],
    delayMs: DELAY_MS,
  });
  const answers = shownOf(answer) ?? [];
  const table = useRef<HTMLDivElement>(null);
  const wasOpen = useRef(isOpen);
  const rows = answers.length;
  useEffect(() => {
    // In a low window, the table would open below the visible part.
    if (isOpen && !wasOpen.current && rows > 0) table.current?.scrollIntoView({ block: "nearest" });
    if (!isOpen || rows > 0) wasOpen.current = isOpen;
  }, [isOpen, rows]);
  if (!isOpen) return null;
  const units = new Set(panels.map((variable) => quantityOf(variable).unit));
  return (
    <section
      className={`${classes["statistics"]} stack px-1 pb-1 border-t border-line`}
      aria-label="Statistics of the visible range"
    >
      <header className="row justify-between pr-1 pl-3">
        <h3>
          Statistics of the visible range
          {units.size === 1 ? <span className={classes["quiet"]}> {[...units]}</span> : null}
        </h3>
        <IconButton label="Close the statistics" onPress={() => setOpen(false)} icon={X} />
      </header>
      {answer.fault ? <FaultStrip fault={answer.fault} /> : null}
      {answer.fault ? null : (
        <Table
          label="Table of statistics"
          boxRef={table}
          isStale={answer.value === null}
          columns={columnsOf(units.size === 1)}
          rows={panels.flatMap((variable) =>
            shown.map((station) => ({
              variable,
              station,
              found: answers.find((r) => r.stationId === station.id && r.variable === variable)?.statistics,
            })),
          )}
          keyOf={({ variable, station }) => `${variable} ${station.id}`}
        />
      )}
    </section>
  );
}

interface StatisticsRow {
  readonly variable: Variable;
  readonly station: LegendStation;
  /** undefined while unknown. */
  readonly found: SeriesStatistics["statistics"] | undefined;
}

function statisticsColumn(
  title: string,
  text: (found: SeriesStatistics["statistics"]) => string,
): TableColumn<StatisticsRow> {
  return numberColumn(title, [title], ({ found }) => (found ? text(found) : ""));
}

const columnsOf = (isOneUnit: boolean): readonly TableColumn<StatisticsRow>[] => [
  {
    id: "station",
    title: "Station",
    isHeading: true,
    isSticky: true,
    text: ({ station }) => station.name,
    renderCell: ({ station: { slot, name } }) => <StationLine slot={slot} name={name} />,
  },
  {
    id: "variable",
    title: "Variable",
    text: ({ variable }) => (isOneUnit ? quantityOf(variable).short : nameAndUnit(variable)),
  },
  statisticsColumn("n", ({ n }) => count(n)),
  statisticsColumn("Mean", ({ mean }) => roundedValue(mean)),
  statisticsColumn("Std", ({ std }) => roundedValue(std)),
  statisticsColumn("Min", ({ min }) => roundedValue(min)),
  statisticsColumn("p5", ({ p5 }) => roundedValue(p5)),
  statisticsColumn("p50", ({ p50 }) => roundedValue(p50)),
  statisticsColumn("p95", ({ p95 }) => roundedValue(p95)),
  statisticsColumn("Max", ({ max }) => roundedValue(max)),
  statisticsColumn("Complete", ({ n, requested }) => percent(completeness(n, requested))),
  statisticsColumn("Requested", ({ expected, requested }) => percent(expected > 0 ? requested / expected : null)),
];
