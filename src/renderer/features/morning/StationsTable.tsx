import { NO_VALUE } from "#shared/text.ts";
import { useMemo } from "react";
import { Button as PlainButton } from "react-aria-components";
import { exactValue, nameAndUnit } from "#shared/plot/values.ts";
import type { Variable } from "#shared/service/variables.ts";
import { DAY_MS, MINUTE_MS } from "#shared/time/utc.ts";
import { availabilityOf, gapsOf, snapshotsOf } from "../../ask/questions.ts";
import { shownOf, useAskHere } from "../../ask/useAsk.ts";
import { stationName, useCatalogue } from "../../stores/catalogue.ts";
import { useNowMs } from "../../stores/clock.ts";
import { showMovingRange } from "../../stores/range.ts";
import { selectStations, useWorkspace } from "../../stores/workspace.ts";
import { numberColumn, type TableColumn } from "../../ui/grid/columns.ts";
import { Table } from "../../ui/grid/Table.tsx";
import { PageSection } from "../../ui/layout.tsx";
import { MiddleCut } from "../../ui/MiddleCut.tsx";
import { FaultNote } from "../../ui/notes.tsx";
import { ago, many } from "../../ui/text.ts";
import { outages } from "../gaps/list.ts";
import { dayWords, missingWords, morningRange, silentWords } from "./labels.ts";

/** The range of the page, as it stays in the other views: from yesterday to now. */
const YESTERDAY_TO_NOW = { start: "yesterday", end: "now" };

export interface OfStations {
  readonly ids: readonly string[];
  readonly variables: readonly Variable[];
}

/** Shows these stations since yesterday in Series. */
export function explore(ids: readonly string[]): void {
  selectStations(ids);
  showMovingRange(YESTERDAY_TO_NOW);
  useWorkspace.setState({ section: "explore", view: "series" });
}

/** The newest values of the stations, their completeness, and what is missing and why. */
export function StationsTable({ ids, variables }: OfStations) {
  const byId = useCatalogue((s) => s.byId);
  const nowMs = useNowMs();
  const range = morningRange(nowMs);
  const momentMs = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;
  const mode = { intervalSeconds: null, raw: false };
  const readMode = { ...mode, resampled: false };
  const [variable = "ztd"] = variables;
  const days = useAskHere(availabilityOf, { stationIds: [...ids], variable, range, mode, bin: "day" });
  const gaps = useAskHere(gapsOf, {
    stationIds: [...ids],
    variables: [...variables],
    range,
    mode: readMode,
    // Every missing value counts in the shares beside the list.
    minimumMs: 0,
  });
  const values = useAskHere(
    snapshotsOf,
    { variables: [...variables], mode: readMode, momentsMs: [momentMs], withinMs: DAY_MS },
    { keepFor: variables },
  );
  const lines = useMemo(() => outages(gaps.value ?? [], (id) => stationName(byId, id)), [gaps.value, byId]);
  const fault = days.fault ?? gaps.fault ?? values.fault;
  const nearest = shownOf(values);
  const rows = ids.map((id): Row => {
    const at = nearest?.stationIds.indexOf(id) ?? -1;
    const station = byId.get(id);
    return {
      id,
      name: stationName(byId, id),
      valueOf: (v) => nearest?.variables[v]?.values[at] ?? Number.NaN,
      newestMs: Math.max(
        ...variables.map((v) => nearest?.variables[v]?.timesMs[at] ?? Number.NaN).filter(Number.isFinite),
      ),
      silent: station ? silentWords(station, nowMs) : null,
      dayOf: (day) => (days.value ? dayWords(days.value, id, day) : ""),
      missing: gaps.value ? missingWords(lines.filter((line) => line.stationId === id)) : "…",
    };
  });
  return (
    <PageSection title={many(ids.length, "station")}>
      {fault ? <FaultNote fault={fault} /> : null}
      <Table
        label="Stations since yesterday"
        columns={morningColumns(variables, nowMs)}
        rows={rows}
        keyOf={({ id }) => id}
      />
    </PageSection>
  );
}

interface Row {
  readonly id: string;
  readonly name: string;
  /** NaN for none. */
  readonly valueOf: (variable: Variable) => number;
  /** Not finite for none. */
  readonly newestMs: number;
  /** That the station is silent, in words; null if it is not. */
  readonly silent: string | null;
  /** Completeness of yesterday, 0, or today, 1, in words. */
  readonly dayOf: (day: 0 | 1) => string;
  readonly missing: string;
}

function morningColumns(variables: readonly Variable[], nowMs: number): TableColumn<Row>[] {
  return [
    {
      id: "station",
      title: "Station",
      isHeading: true,
      text: ({ name }) => name,
      renderCell: ({ id, name }) => (
        <PlainButton
          className="plain flex items-center min-w-6 max-w-full min-h-6 p-0 text-start font-medium hover:underline"
          aria-label={`Show ${name} in Series`}
          onPress={() => explore([id])}
        >
          <MiddleCut text={name} />
        </PlainButton>
      ),
    },
    ...variables.map((v) => {
      const textOf = ({ valueOf }: Row): string => (Number.isNaN(valueOf(v)) ? NO_VALUE : exactValue(valueOf(v)));
      return numberColumn(v, [nameAndUnit(v)], textOf);
    }),
    {
      id: "newest",
      title: "Newest downloaded",
      text: ({ newestMs }) => (Number.isFinite(newestMs) ? ago(newestMs, nowMs) : NO_VALUE),
    },
    {
      ...numberColumn<Row>("yesterday", ["Yesterday"], ({ dayOf }) => dayOf(0)),
      meaning: "Values downloaded, as a share of those expected",
    },
    {
      ...numberColumn<Row>("today", ["Today"], ({ dayOf }) => dayOf(1)),
      meaning: "Values downloaded, as a share of those expected so far",
    },
    {
      id: "missing",
      title: "Missing",
      text: ({ missing }) => missing,
      renderCell: ({ silent, missing }) => (
        <span className="text-quiet wrap-anywhere">
          {silent === null ? null : <strong className="text-warn font-medium">{silent}. </strong>}
          {missing}
        </span>
      ),
    },
  ];
}
