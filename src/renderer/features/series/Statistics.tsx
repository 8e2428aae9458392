import { ChevronDown, ChevronRight } from "lucide-react";
import { useEffect, useRef } from "react";
import type { SeriesStatistics } from "#shared/bridge/methods/series.ts";
import { completeness, percent } from "#shared/series/statistics.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { nameAndUnit, roundedValue } from "#shared/plot/values.ts";
import { usePane } from "../../stores/workspace.ts";
import { Button } from "../../ui/Button.tsx";
import { FaultNote } from "../../ui/notes.tsx";
import { count } from "../../ui/text.ts";
import { type LegendStation, LineSwatch } from "./Legend.tsx";
import type { SeriesQuery } from "./query.ts";
import classes from "./series.module.css";
import { statisticsOf } from "../../ask/questions.ts";
import { shownOf, useAsk } from "../../ask/useAsk.ts";

const DELAY_MS = 250;

interface StatisticsProps {
  readonly query: SeriesQuery;
  readonly panels: readonly Variable[];
  readonly stations: readonly LegendStation[];
  readonly range: TimeRange;
}

/** Statistics of the visible range for each variable and station. */
export function Statistics({ query, panels, stations, range }: StatisticsProps) {
  const [isOpen, setOpen] = usePane("series.statistics", (kept) => kept === true);
  const shown = stations.filter((s) => !s.isHidden);
  const input = { ...query, variables: panels, stationIds: shown.map((s) => s.id), range };
  const answer = useAsk(statisticsOf, isOpen && shown.length > 0 ? input : null, {
    keepFor: [query.connectionId, query.mode, panels],
    delayMs: DELAY_MS,
  });
  const figures = shownOf(answer) ?? [];
  const table = useRef<HTMLDivElement>(null);
  const isJustOpened = useRef(false);
  const rows = figures.length;
  useEffect(() => {
    // In a low window, the table would open below the visible part.
    if (isJustOpened.current && rows > 0) table.current?.scrollIntoView({ block: "nearest" });
    if (rows > 0) isJustOpened.current = false;
  }, [rows]);
  const toggle = (): void => {
    isJustOpened.current = !isOpen;
    setOpen(!isOpen);
  };
  return (
    <section className={classes["statistics"]} aria-label="Statistics of the visible range">
      <Button look="quiet" aria-expanded={isOpen} onPress={toggle}>
        {isOpen ? <ChevronDown aria-hidden /> : <ChevronRight aria-hidden />}
        Statistics of the visible range
      </Button>
      {isOpen && answer.fault ? <FaultNote fault={answer.fault} /> : null}
      {isOpen && !answer.fault ? (
        <div
          ref={table}
          className={classes["figures"]}
          data-stale={answer.value === null || undefined}
          tabIndex={0}
          role="region"
          aria-label="Table of statistics"
        >
          <StatisticsTable rows={figures} panels={panels} stations={shown} />
        </div>
      ) : null}
    </section>
  );
}

const HEADS = ["n", "Mean", "Std", "Min", "p5", "p50", "p95", "Max", "Complete", "Requested"] as const;

function StatisticsTable(props: {
  readonly rows: readonly SeriesStatistics[];
  readonly panels: readonly Variable[];
  readonly stations: readonly LegendStation[];
}) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Station</th>
          <th scope="col">Variable</th>
          {HEADS.map((head) => (
            <th key={head} scope="col" className={classes["number"]}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {props.panels.flatMap((variable) =>
          props.stations.map((station) => (
            <tr key={`${variable} ${station.id}`}>
              <th scope="row" title={station.name}>
                <LineSwatch slot={station.slot} /> {station.name}
              </th>
              <td>{nameAndUnit(variable)}</td>
              {cells(props.rows.find((r) => r.stationId === station.id && r.variable === variable)).map((cell, i) => (
                <td key={HEADS[i]} className={classes["number"]}>
                  {cell}
                </td>
              ))}
            </tr>
          )),
        )}
      </tbody>
    </table>
  );
}

function cells(row: SeriesStatistics | undefined): string[] {
  if (!row) return HEADS.map(() => "");
  const { n, mean, std, min, p5, p50, p95, max, expected, requested } = row.statistics;
  const shares = [completeness(n, requested), expected > 0 ? requested / expected : null];
  return [count(n), ...[mean, std, min, p5, p50, p95, max].map(roundedValue), ...shares.map((s) => percent(s))];
}
