import { z } from "zod";
import { Download, FileDown, Image } from "lucide-react";
import type { KeptSchedule } from "#shared/bridge/methods/jobs.ts";
import { runDetails } from "#shared/schedule/schedule.ts";
import { SCALAR_VARIABLES, type Variable } from "#shared/service/variables.ts";
import { useNowMs } from "../../stores/clock.ts";
import { runInNextView, useCommand } from "../../stores/commands.ts";
import { useIsFile } from "../../stores/connection.ts";
import { useGroups } from "../../stores/groups.ts";
import { useSchedules } from "../../stores/schedules.ts";
import { jobSpecOf, useSelection } from "../../stores/selection.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { Button } from "../../ui/Button.tsx";
import { Select } from "../../ui/choices.tsx";
import { EmptyState } from "../../ui/notes.tsx";
import { Page, PageSection } from "../../ui/layout.tsx";
import { openDialog } from "../../stores/dialogs.ts";
import { FetchButton } from "../fetch/FetchButton.tsx";
import { useWhyNoStation } from "../catalogue/NoStation.tsx";
import { lastText } from "../schedules/labels.ts";
import { explore, type OfStations, StationsTable } from "./StationsTable.tsx";
import { morningRange } from "./labels.ts";
import { pane, usePane } from "../../stores/pane.ts";

const SELECTED = "selected";
/** Stations that one answer covers. */
const MAX_STATIONS = 200;

/** Name of the chosen group; null: none was chosen. */
const GROUP = pane("morning.group", z.string().nullable().catch(null));

/** A group of the user, by default the favourites, else the selection. */
function useMyStations() {
  const groups = useGroups();
  const selected = useWorkspace((s) => s.stationIds);
  const [kept, choose] = usePane(GROUP);
  const group = kept === SELECTED ? undefined : (groups.find(({ name }) => name === kept) ?? groups[0]);
  const ids = (group?.stationIds ?? selected).slice(0, MAX_STATIONS);
  const choices = [
    { value: SELECTED, label: "Selected stations" },
    ...groups.map(({ name }) => ({ value: name, label: name })),
  ];
  return { ids, choices, value: group?.name ?? SELECTED, choose };
}

/** My stations since yesterday: their newest values, missing data and why, silent stations, and schedules that failed. */
export function Morning() {
  const mine = useMyStations();
  const why = useWhyNoStation();
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
        <StationsTable ids={ids} variables={variables} />
      ) : (
        <EmptyState title={why?.title ?? "No stations of yours yet"}>
          {why ? why.text : "Select stations in the list, or mark them as favourites, to see them here every morning."}
        </EmptyState>
      )}
      <Schedules />
    </Page>
  );
}

/** Downloads missing data, and writes a file or a figure of the page's stations and time. */
function Actions({ ids, variables }: OfStations) {
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
      <FetchButton spec={spec} look="primary" icon={Download} />
      <Button onPress={toFile} icon={FileDown}>
        Export
      </Button>
      <Button onPress={toFigure} icon={Image}>
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

/** Runs in these states need no attention. */
const WELL: ReadonlySet<string> = new Set(["ok", "mayStillArrive", "running"]);

function showSchedules(): void {
  useWorkspace.setState({ section: "schedules" });
}

/** Schedules whose last run did not deliver everything. */
function Schedules() {
  const all = useSchedules();
  const isFile = useIsFile();
  if (all === null || isFile) return null;
  const failed = all.filter(({ lastRun }) => lastRun !== null && !WELL.has(lastRun.state));
  return (
    <PageSection title="Schedules">
      {failed.length === 0 ? (
        <p className="pb-2 text-quiet">{all.length === 0 ? "No schedules." : "No schedule failed."}</p>
      ) : (
        <ul className="stack gap-2 pb-2 list-none">
          {failed.map((kept) => (
            <FailedSchedule key={kept.id} kept={kept} />
          ))}
        </ul>
      )}
      <Button onPress={showSchedules}>{all.length === 0 ? "Set up a schedule" : "Show schedules"}</Button>
    </PageSection>
  );
}

function FailedSchedule({ kept: { schedule, lastRun } }: { readonly kept: KeptSchedule }) {
  const nowMs = useNowMs();
  return (
    <li>
      <strong>{schedule.name}</strong>
      <span className="text-quiet"> {lastText(lastRun, nowMs)}</span>
      {lastRun ? <p>{runDetails(lastRun)}</p> : null}
    </li>
  );
}
