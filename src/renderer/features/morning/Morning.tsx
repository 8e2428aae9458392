import { Download, FileDown, Image } from "lucide-react";
import { useMemo } from "react";
import type { Snapshots } from "#shared/bridge/methods/snapshot.ts";
import type { KeptSchedule } from "#shared/bridge/methods/jobs.ts";
import type { KnownStation } from "#shared/service/catalogue.ts";
import { exactValue, nameAndUnit } from "#shared/plot/values.ts";
import { runWords } from "#shared/schedule/schedule.ts";
import { SCALAR_VARIABLES, type Variable } from "#shared/service/variables.ts";
import { DAY_MS, MINUTE_MS } from "#shared/time/utc.ts";
import { availabilityOf, gapsOf, snapshotsOf } from "../../ask/questions.ts";
import { shownOf, useAsk } from "../../ask/useAsk.ts";
import { stationName, useCatalogue } from "../../stores/catalogue.ts";
import { useNowMs } from "../../stores/clock.ts";
import { runInNextView, useCommand } from "../../stores/commands.ts";
import { useConnection, useConnectionId, useIsFile, useIsOffline } from "../../stores/connection.ts";
import { useGroups } from "../../stores/groups.ts";
import { showMovingRange } from "../../stores/range.ts";
import { useSchedules } from "../../stores/schedules.ts";
import { jobSpecOf, useSelection } from "../../stores/selection.ts";
import { selectStations, usePane, useWorkspace } from "../../stores/workspace.ts";
import { Button } from "../../ui/Button.tsx";
import { Select } from "../../ui/choices.tsx";
import { EmptyState, FaultNote } from "../../ui/notes.tsx";
import { Page, PageSection } from "../../ui/layout.tsx";
import { ago, many } from "../../ui/text.ts";
import { openDialog } from "../../stores/dialogs.ts";
import { startFetch } from "../fetch/startFetch.ts";
import { useCost } from "../fetch/useEstimate.ts";
import { fetchWords } from "../fetch/words.ts";
import { type GapLine, outages } from "../gaps/list.ts";
import { lastText } from "../schedules/words.ts";
import classes from "./morning.module.css";
import { dayWords, missingWords, morningRange, silentWords } from "./words.ts";

const SELECTED = "selected";
/** Stations that one answer covers. */
const MAX_STATIONS = 200;
const MIN_GAP_MS = 5 * MINUTE_MS;

/** The range of the page, as it stays in the other views: from yesterday to now. */
const YESTERDAY_TO_NOW = { start: "yesterday", end: "now" };

/** My stations since yesterday: their newest values, missing data and why, silent stations, and schedules that failed. */
export function Morning() {
  const connectionId = useConnection((s) => s.current?.info.id ?? null);
  return connectionId === null ? null : <Overview key={connectionId} />;
}

/** A group of the user, by default the favourites, else the selection. */
function useMyStations() {
  const groups = useGroups();
  const selected = useWorkspace((s) => s.stationIds);
  const [kept, choose] = usePane("morning.group", (name) => (typeof name === "string" ? name : null));
  const group = kept === SELECTED ? undefined : (groups.find(({ name }) => name === kept) ?? groups[0]);
  const ids = (group?.stationIds ?? selected).slice(0, MAX_STATIONS);
  const choices = [
    { value: SELECTED, label: "Selected stations" },
    ...groups.map(({ name }) => ({ value: name, label: name })),
  ];
  return { ids, choices, value: group?.name ?? SELECTED, choose };
}

function Overview() {
  const mine = useMyStations();
  const { ids } = mine;
  const selection = useSelection();
  const scalars = SCALAR_VARIABLES.filter((v) => selection.variables.includes(v));
  const variables: readonly Variable[] = scalars.length > 0 ? scalars : ["ztd"];
  return (
    <Page title="Morning" isWide>
      <div className="row flex-wrap gap-2 mt-4">
        <Select label="My stations" choices={mine.choices} value={mine.value} onChange={mine.choose} />
        <span className="text-quiet">since yesterday 00:00 UTC</span>
        <span className="flex-1" />
        {ids.length > 0 ? <Actions ids={ids} variables={variables} /> : null}
      </div>
      {ids.length > 0 ? (
        <Stations ids={ids} variables={variables} />
      ) : (
        <EmptyState title="No stations of yours yet">
          Select stations in the list, or mark them as favourites, to see them here every morning.
        </EmptyState>
      )}
      <Schedules />
    </Page>
  );
}

interface OfStations {
  readonly ids: readonly string[];
  readonly variables: readonly Variable[];
}

/** Shows these stations since yesterday in Series. */
function explore(ids: readonly string[]): void {
  selectStations(ids);
  showMovingRange(YESTERDAY_TO_NOW);
  useWorkspace.setState({ section: "explore", view: "series" });
}

/** Downloads missing data, and writes a file or a figure of the page's stations and time. */
function Actions({ ids, variables }: OfStations) {
  const connectionId = useConnectionId();
  const isOffline = useIsOffline();
  const nowMs = useNowMs();
  const selection = useSelection();
  const range = morningRange(nowMs);
  const spec = jobSpecOf({
    ...selection,
    stationIds: [...ids],
    variables: [...variables],
    range,
    intervalSeconds: null,
    raw: false,
  });
  const cost = useCost(connectionId, spec);
  const toFile = (): void => {
    explore(ids);
    openDialog({ kind: "export", page: "new" });
  };
  const toFigure = (): void => {
    explore(ids);
    runInNextView("figure", onLeaveSeries);
  };
  useCommand("export", toFile);
  useCommand("figure", toFigure);
  return (
    <>
      {cost === null ? null : (
        <Button look="primary" onPress={() => void startFetch(connectionId, spec)}>
          <Download aria-hidden />
          {fetchWords(cost, isOffline)}
        </Button>
      )}
      <Button onPress={toFile}>
        <FileDown aria-hidden />
        Export
      </Button>
      <Button onPress={toFigure}>
        <Image aria-hidden />
        Figure
      </Button>
    </>
  );
}

function onLeaveSeries(leave: () => void): () => void {
  return useWorkspace.subscribe(({ section, view }) => {
    if (section !== "explore" || view !== "series") leave();
  });
}

function Stations({ ids, variables }: OfStations) {
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
    minimumMs: MIN_GAP_MS,
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
              <th scope="col">Newest</th>
              <th scope="col" data-number title="Complete">
                Yesterday
              </th>
              <th scope="col" data-number title="Complete so far">
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
          <span className="truncate">{name}</span>
        </Button>
      </th>
      {variables.map((v) => {
        const value = values?.variables[v]?.values[at] ?? Number.NaN;
        return (
          <td key={v} data-number>
            {Number.isNaN(value) ? "—" : exactValue(value)}
          </td>
        );
      })}
      <td>{Number.isFinite(newestMs) ? ago(newestMs, nowMs) : "—"}</td>
      <td data-number>{days[0]}</td>
      <td data-number>{days[1]}</td>
      <td className={classes["why"]}>
        {silent === null ? null : <strong className="text-warn font-medium">{silent}. </strong>}
        {isKnown ? missingWords(lines) : "…"}
      </td>
    </tr>
  );
}

/** Runs in these states need no attention. */
const WELL: ReadonlySet<string> = new Set(["ok", "unconfirmed", "running"]);

function showSchedules(): void {
  useWorkspace.setState({ section: "schedules" });
}

/** Schedules whose last run did not deliver everything. */
function Schedules() {
  const all = useSchedules((s) => s.all);
  const nowMs = useNowMs();
  const isFile = useIsFile();
  if (all === null || isFile) return null;
  const failed = all.filter(({ lastRun }) => lastRun !== null && !WELL.has(lastRun.state));
  return (
    <PageSection title="Schedules">
      {failed.length === 0 ? (
        <p className="text-quiet">{all.length === 0 ? "No schedules." : "No schedule failed."}</p>
      ) : (
        <ul className="stack gap-2 pb-2 list-none">
          {failed.map((kept) => (
            <FailedSchedule key={kept.id} kept={kept} nowMs={nowMs} />
          ))}
        </ul>
      )}
      <Button look="quiet" onPress={showSchedules}>
        {all.length === 0 ? "Set up a schedule" : "Show schedules"}
      </Button>
    </PageSection>
  );
}

function FailedSchedule({
  kept: { schedule, lastRun },
  nowMs,
}: {
  readonly kept: KeptSchedule;
  readonly nowMs: number;
}) {
  return (
    <li>
      <strong>{schedule.name}</strong>
      <span className="text-quiet"> {lastText(lastRun, nowMs)}</span>
      {lastRun ? <p>{runWords(lastRun)}</p> : null}
    </li>
  );
}
