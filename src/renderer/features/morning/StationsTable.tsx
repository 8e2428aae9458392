import { NO_VALUE } from "#shared/text.ts";
import { useMemo } from "react";
import type { Snapshots } from "#shared/bridge/methods/snapshot.ts";
import { exactValue, nameAndUnit } from "#shared/plot/values.ts";
import type { KnownStation } from "#shared/service/catalogue.ts";
import type { Variable } from "#shared/service/variables.ts";
import { DAY_MS, MINUTE_MS } from "#shared/time/utc.ts";
import { availabilityOf, gapsOf, snapshotsOf } from "../../ask/questions.ts";
import { shownOf, useAsk } from "../../ask/useAsk.ts";
import { stationName, useCatalogue } from "../../stores/catalogue.ts";
import { useNowMs } from "../../stores/clock.ts";
import { useConnectionId } from "../../stores/connection.ts";
import { showMovingRange } from "../../stores/range.ts";
import { selectStations, useWorkspace } from "../../stores/workspace.ts";
import { Button } from "../../ui/Button.tsx";
import { PageSection } from "../../ui/layout.tsx";
import { MiddleCut } from "../../ui/MiddleCut.tsx";
import { FaultNote } from "../../ui/notes.tsx";
import { ago, many } from "../../ui/text.ts";
import { type GapLine, outages } from "../gaps/list.ts";
import classes from "./morning.module.css";
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
  const connectionId = useConnectionId();
  const byId = useCatalogue((s) => s.byId);
  const nowMs = useNowMs();
  const range = morningRange(nowMs);
  const momentMs = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;
  const mode = { intervalSeconds: null, raw: false };
  const readMode = { ...mode, resampled: false };
  const [variable = "ztd"] = variables;
  const days = useAsk(availabilityOf, { connectionId, stationIds: [...ids], variable, range, mode, bin: "day" });
  const gaps = useAsk(gapsOf, {
    connectionId,
    stationIds: [...ids],
    variables: [...variables],
    range,
    mode: readMode,
    // Every missing value counts in the shares beside the list.
    minimumMs: 0,
  });
  const values = useAsk(
    snapshotsOf,
    { connectionId, variables: [...variables], mode: readMode, momentsMs: [momentMs], withinMs: DAY_MS },
    { keepFor: [connectionId, variables] },
  );
  const lines = useMemo(() => outages(gaps.value ?? [], (id) => stationName(byId, id)), [gaps.value, byId]);
  const fault = days.fault ?? gaps.fault ?? values.fault;
  return (
    <PageSection title={many(ids.length, "station")}>
      {fault ? <FaultNote fault={fault} /> : null}
      <div className="scroll" role="region" aria-label="Stations since yesterday" tabIndex={0}>
        <table className={`${classes["table"]} w-full border-collapse`}>
          <thead>
            <tr>
              <th scope="col">Station</th>
              {variables.map((v) => (
                <th key={v} scope="col" data-number>
                  {nameAndUnit(v)}
                </th>
              ))}
              <th scope="col">Newest downloaded</th>
              <th scope="col" data-number title="Values downloaded, as a share of those expected">
                Yesterday
              </th>
              <th scope="col" data-number title="Values downloaded, as a share of those expected so far">
                Today
              </th>
              <th scope="col">Missing</th>
            </tr>
          </thead>
          <tbody>
            {ids.map((id) => (
              <StationRow
                key={id}
                id={id}
                station={byId.get(id)}
                variables={variables}
                values={shownOf(values)}
                days={days.value ? [dayWords(days.value, id, 0), dayWords(days.value, id, 1)] : ["", ""]}
                lines={lines.filter((line) => line.stationId === id)}
                isKnown={gaps.value !== null}
                nowMs={nowMs}
              />
            ))}
          </tbody>
        </table>
      </div>
    </PageSection>
  );
}

interface StationRowProps {
  readonly id: string;
  readonly station: KnownStation | undefined;
  readonly variables: readonly Variable[];
  readonly values: Snapshots | null;
  readonly days: readonly [string, string];
  readonly lines: readonly GapLine[];
  /** Whether the gaps are known. */
  readonly isKnown: boolean;
  readonly nowMs: number;
}

function StationRow({ id, station, variables, values, days, lines, isKnown, nowMs }: StationRowProps) {
  const byId = useCatalogue((s) => s.byId);
  const name = stationName(byId, id);
  const at = values?.stationIds.indexOf(id) ?? -1;
  const silent = station ? silentWords(station, nowMs) : null;
  const newestMs = Math.max(
    ...variables.map((v) => values?.variables[v]?.timesMs[at] ?? Number.NaN).filter(Number.isFinite),
  );
  return (
    <tr>
      <th scope="row">
        <Button look="quiet" aria-label={`Show ${name} in Series`} onPress={() => explore([id])}>
          <MiddleCut text={name} />
        </Button>
      </th>
      {variables.map((v) => {
        const value = values?.variables[v]?.values[at] ?? Number.NaN;
        return (
          <td key={v} data-number>
            {Number.isNaN(value) ? NO_VALUE : exactValue(value)}
          </td>
        );
      })}
      <td>{Number.isFinite(newestMs) ? ago(newestMs, nowMs) : NO_VALUE}</td>
      <td data-number>{days[0]}</td>
      <td data-number>{days[1]}</td>
      <td className={classes["why"]}>
        {silent === null ? null : <strong className="text-warn font-medium">{silent}. </strong>}
        {isKnown ? missingWords(lines) : "…"}
      </td>
    </tr>
  );
}
