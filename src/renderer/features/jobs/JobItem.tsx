import { MISSING_WORDS } from "#shared/schedule/schedule.ts";
import { ChevronDown, ChevronRight, Pause, Play, RefreshCw, Square, X } from "lucide-react";
import { useMemo, useState } from "react";
import { shortName, uncertaintyOf, type Variable } from "#shared/service/variables.ts";
import type { Job } from "#shared/bridge/methods/jobs.ts";
import { IRREGULARITIES, type Irregularity } from "#shared/series/rows.ts";
import { changeWords, keptSentence, type RefreshReport } from "#shared/job/refresh.ts";
import type { Verdict } from "#shared/job/verdict.ts";
import { useIsOffline } from "../../stores/connection.ts";
import { bridge } from "../../bridge/index.ts";
import { stationName, useCatalogue } from "../../stores/catalogue.ts";
import { useNowMs } from "../../stores/clock.ts";
import { orShowFault } from "../../stores/toasts.ts";
import { removeJob } from "../../stores/work.ts";
import { selectStations, useWorkspace } from "../../stores/workspace.ts";
import { IconButton, QuietButton } from "../../ui/Button.tsx";
import { Switch } from "../../ui/choices.tsx";
import { NoWrapParts } from "../../ui/layout.tsx";
import { FaultNote, Progress } from "../../ui/notes.tsx";
import { type Column, numberColumn, type TableColumn } from "../../ui/grid/columns.ts";
import { Grid } from "../../ui/grid/Grid.tsx";
import { Table } from "../../ui/grid/Table.tsx";
import { count, many, utc } from "../../ui/text.ts";
import { RAW_SHOWN } from "../series/query.ts";
import classes from "./jobs.module.css";
import { figureWords, stateWords, stationWords } from "./labels.ts";
import { Line, WorkItem } from "./WorkItem.tsx";
import { verdictsOf } from "../../ask/questions.ts";
import { useAsk } from "../../ask/useAsk.ts";
import { rangeText } from "../range/labels.ts";

/** The states in which a job can be paused; in all others it can be resumed. */
const CAN_PAUSE: readonly Job["state"][] = ["queued", "running", "waitingForNetwork", "needsKey"];
const RETRY = "Retry missing data";

/** A download in the list: its content, progress, results by station, and controls. */
export function JobItem({ job }: { readonly job: Job }) {
  const byId = useCatalogue((s) => s.byId);
  const nowMs = useNowMs();
  const isOffline = useIsOffline();
  const [isOpen, setOpen] = useState(false);
  const { progress, spec } = job;
  const share = progress && progress.pointsTotal > 0 ? progress.pointsDone / progress.pointsTotal : null;
  const setKeepUp = (keepUp: boolean): void => void orShowFault(bridge.jobs.setKeepUp({ jobId: job.id, keepUp }));
  return (
    <WorkItem
      state={job.state}
      lead={
        <IconButton
          label={isOpen ? "Hide results by station" : "Show results by station"}
          onPress={() => setOpen(!isOpen)}
          icon={isOpen ? ChevronDown : ChevronRight}
        />
      }
      title={stationWords(byId, spec.stationIds)}
      selection={spec}
      option={
        spec.only === undefined && !spec.refresh ? (
          <Switch value={job.keepUp} onChange={setKeepUp}>
            Keep up to date
          </Switch>
        ) : null
      }
      actions={<Actions job={job} />}
      details={
        isOpen ? (
          <div className="stack gap-1 py-1 pr-2 pl-10">
            {progress?.refreshed ? <Changes refreshed={progress.refreshed} /> : null}
            <Verdicts job={job} />
          </div>
        ) : null
      }
    >
      <span className={classes["state"]}>{stateWords(job, nowMs, isOffline)}</span>
      {job.state === "running" ? (
        <Progress label="Download" share={share} text={figureWords(job)} />
      ) : (
        <Line>{job.reason ?? <NoWrapParts text={figureWords(job)} separator=" · " />}</Line>
      )}
      <Counts job={job} />
    </WorkItem>
  );
}

/** Buttons that pause, repeat, cancel or remove a download. */
function Actions({ job }: { readonly job: Job }) {
  const isActive = CAN_PAUSE.includes(job.state);
  const isPaused = job.state === "paused";
  const call = (name: "pause" | "resume" | "cancel"): void => void orShowFault(bridge.jobs[name]({ jobId: job.id }));
  return (
    <>
      {/* The same button in every state, so that it keeps the focus when the state changes. */}
      <IconButton
        label={isActive ? "Pause" : isPaused ? "Resume" : job.spec.refresh ? "Request everything again" : RETRY}
        onPress={() => call(isActive ? "pause" : "resume")}
        icon={isActive ? Pause : isPaused ? Play : RefreshCw}
      />
      {job.state === "waitingForNetwork" ? (
        <IconButton label={RETRY} onPress={() => call("resume")} icon={RefreshCw} />
      ) : null}
      {isActive || isPaused ? (
        <IconButton label="Cancel" onPress={() => call("cancel")} icon={Square} />
      ) : (
        <IconButton label="Remove from the list and keep the data" onPress={() => removeJob(job)} icon={X} />
      )}
    </>
  );
}

/** Shows the data of a download in the views. */
function showData({ spec }: Job): void {
  const uncertainties: readonly (Variable | null)[] = spec.variables.map(uncertaintyOf);
  const variables = spec.variables.filter((v) => !uncertainties.includes(v));
  // Raw rows of parts of a range were fetched to show rejected data, not as a raw series.
  const showsRejected = spec.raw && spec.only !== undefined;
  selectStations(spec.stationIds);
  if (showsRejected) RAW_SHOWN.set(true);
  useWorkspace.setState({
    range: spec.range,
    intervalSeconds: spec.intervalSeconds,
    raw: spec.raw && !showsRejected,
    resampled: false,
    ...(variables.length > 0 ? { variables } : {}),
    ...(variables.length < spec.variables.length ? { showSigma: true } : {}),
  });
}

/** Counts of verdicts, and the irregularities in the responses. */
function Counts({ job }: { readonly job: Job }) {
  const verdicts = Object.entries(job.verdictCounts ?? {}) as [keyof typeof MISSING_WORDS, number][];
  const counts = Object.entries(job.progress?.irregularities ?? {}) as [Irregularity, number][];
  if (verdicts.length === 0 && counts.length === 0) return null;
  const refreshed = job.progress?.refreshed;
  const parts = verdicts.reduce((sum, [, n]) => sum + n, 0);
  return (
    <Line>
      {refreshed ? `${changeWords(refreshed)} · ` : null}
      {parts === 0 ? null : (
        <span title="A part is a variable of a station in a range, as in the results by station.">
          {`${many(parts, "part")}: ${verdicts.map(([state, n]) => `${count(n)} ${MISSING_WORDS[state]}`).join(" · ")}`}
        </span>
      )}
      {counts.map(([kind, n]) => (
        <span key={kind} className={classes["irregularity"]} title={IRREGULARITIES[kind]}>
          {" "}
          · {many(n, "irregularity", "irregularities")}: {IRREGULARITIES[kind]}
        </span>
      ))}
    </Line>
  );
}

/** Verdicts that need attention come first. */
const ORDER: Readonly<Record<Verdict["state"], number>> = {
  failed: 0,
  forbidden: 1,
  notRequested: 2,
  stale: 3,
  empty: 4,
  partial: 5,
  ok: 6,
};

function verdictColumns(nameOf: (stationId: string) => string): readonly Column<Verdict>[] {
  return [
    { id: "station", title: "Station", width: 96, share: 2, isName: true, text: ({ stationId }) => nameOf(stationId) },
    { id: "variable", title: "Variable", width: 76, text: ({ variable }) => shortName(variable) },
    { id: "range", title: "Range", width: 280, text: ({ range }) => rangeText(range) },
    { id: "rows", title: "Rows", width: 88, align: "end", text: ({ rows }) => count(rows) },
    {
      id: "result",
      title: "Result",
      width: 160,
      share: 5,
      text: verdictWords,
      renderCell: (verdict) => (
        <span className={verdict.state === "failed" || verdict.state === "forbidden" ? "text-danger" : ""}>
          {verdictWords(verdict)}
        </span>
      ),
      hint: verdictWords,
    },
  ];
}

/** The verdict of every cell of a job. */
function Verdicts({ job }: { readonly job: Job }) {
  const { value, fault } = useAsk(verdictsOf, { jobId: job.id }, { delayMs: 0 });
  const verdicts = useMemo(() => (value ?? []).toSorted((a, b) => ORDER[a.state] - ORDER[b.state]), [value]);
  const byId = useCatalogue((s) => s.byId);
  const columns = useMemo(() => verdictColumns((id) => stationName(byId, id)), [byId]);
  const [focus, setFocus] = useState(-1);
  return (
    <>
      <div className="row caption justify-between">
        <span>
          {verdicts.length === 0
            ? "Results appear when the download ends."
            : "Result for each part: a variable of a station in a range"}
        </span>
        <QuietButton label="Show these stations and this range" onPress={() => showData(job)} />
      </div>
      {fault ? <FaultNote fault={fault} /> : null}
      {verdicts.length > 0 ? (
        <Grid
          label="Verdicts"
          columns={columns}
          rows={{ count: verdicts.length, at: (i) => verdicts[i] ?? null }}
          focus={focus}
          maxRows={6}
          onAct={(action) => action.kind === "move" && setFocus(action.index)}
        />
      ) : null}
    </>
  );
}

function verdictWords({ state, reason }: Verdict): string {
  return reason === null ? MISSING_WORDS[state] : `${MISSING_WORDS[state]}: ${reason}`;
}

type ChangedDay = RefreshReport["days"][number];

function changeColumns(nameOf: (stationId: string) => string): readonly TableColumn<ChangedDay>[] {
  return [
    { id: "station", title: "Station", isHeading: true, text: ({ stationId }) => nameOf(stationId) },
    { id: "day", title: "Day (UTC)", text: ({ dayMs }) => utc(dayMs).slice(0, 10) },
    numberColumn("added", ["Added"], ({ added }) => count(added)),
    numberColumn("changed", ["Changed"], ({ changed }) => count(changed)),
    numberColumn("kept", ["Kept"], ({ kept }) => count(kept)),
  ];
}

const HOW_TO_REMOVE =
  "If the service has withdrawn these data, delete all data of these stations under Storage, and download them again.";

/** What a refresh has changed, by station and day. */
function Changes({ refreshed }: { readonly refreshed: RefreshReport }) {
  const byId = useCatalogue((s) => s.byId);
  const { days, moreDays, kept } = refreshed;
  return (
    <>
      <div className="row caption justify-between">
        <span>
          Compared with the cache: {changeWords(refreshed)}.{kept > 0 ? ` ${keptSentence(kept)} ${HOW_TO_REMOVE}` : ""}
        </span>
      </div>
      {days.length > 0 ? (
        <div className="scroll max-h-42">
          <Table
            label="Changes by station and day"
            columns={changeColumns((id) => stationName(byId, id))}
            rows={days}
            keyOf={({ dayMs, stationId }) => `${dayMs} ${stationId}`}
          />
        </div>
      ) : null}
      {moreDays > 0 ? (
        <span className="caption overflow-hidden leading-4.5 text-ellipsis">
          {many(moreDays, "more day")} with differences
        </span>
      ) : null}
    </>
  );
}
