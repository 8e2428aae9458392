import { uncertaintyOf, type Variable } from "#shared/service/variables.ts";
import { ChevronDown, ChevronRight, Pause, Play, RefreshCw, Square, X } from "lucide-react";
import { useState } from "react";
import type { Job } from "#shared/bridge/methods/jobs.ts";
import { ANOMALIES, type Anomaly } from "#shared/series/rows.ts";
import { bridge } from "../../bridge/index.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { useNowMs } from "../../stores/clock.ts";
import { useConnection } from "../../stores/connection.ts";
import { showFault } from "../../stores/toasts.ts";
import { removeJob } from "../../stores/work.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { IconButton } from "../../ui/Button.tsx";
import { Switch } from "../../ui/choices.tsx";
import { Progress } from "../../ui/notes.tsx";
import { NoWrapParts } from "../../ui/NoWrapParts.tsx";
import { count, many } from "../../ui/text.ts";
import { RAW_SHOWN } from "../series/query.ts";
import classes from "./jobs.module.css";
import { Verdicts } from "./Verdicts.tsx";
import { figureWords, selectionWords, stateWords, stationWords, VERDICT_WORDS } from "./words.ts";

type JobCall = "pause" | "resume" | "cancel";

async function tell(job: Job, call: JobCall): Promise<void> {
  const answer = await bridge.jobs[call]({ jobId: job.id });
  if (!answer.ok) showFault(answer.error);
}

async function setKeepUp(job: Job, keepUp: boolean): Promise<void> {
  const answer = await bridge.jobs.setKeepUp({ jobId: job.id, keepUp });
  if (!answer.ok) showFault(answer.error);
}

/** All others can go on. */
const CAN_PAUSE: readonly Job["state"][] = ["queued", "running", "waitingForNetwork", "needsKey"];
const ASK_AGAIN = "Retry missing data";

/** One download: what it is, how far, what became of every station, and what can be done with it. */
export function JobItem({ job }: { readonly job: Job }) {
  const byId = useCatalogue((s) => s.byId);
  const nowMs = useNowMs();
  const isOffline = useConnection((s) => s.connectivity?.state === "offline");
  const [isOpen, setOpen] = useState(false);
  const { progress, spec } = job;
  const isActive = CAN_PAUSE.includes(job.state);
  const share = progress && progress.pointsTotal > 0 ? progress.pointsDone / progress.pointsTotal : null;
  const show = (): void => {
    const uncertainties: readonly (Variable | null)[] = spec.variables.map(uncertaintyOf);
    const variables = spec.variables.filter((v) => !uncertainties.includes(v));
    // Raw rows of parts show what the filter rejected; they are no series of their own.
    const isBehind = spec.raw && spec.only !== undefined;
    const { panes } = useWorkspace.getState();
    useWorkspace.setState({
      range: spec.range,
      intervalSeconds: spec.intervalSeconds,
      raw: spec.raw && !isBehind,
      resampled: false,
      ...(isBehind ? { panes: { ...panes, [RAW_SHOWN]: true } } : {}),
      ...(variables.length > 0 ? { variables } : {}),
      ...(variables.length < spec.variables.length ? { showSigma: true } : {}),
    });
  };
  return (
    <li className={classes["item"]} data-state={job.state}>
      <div className={classes["head"]}>
        <IconButton
          label={isOpen ? "Hide results by station" : "Show results by station"}
          onPress={() => setOpen(!isOpen)}
        >
          {isOpen ? <ChevronDown aria-hidden /> : <ChevronRight aria-hidden />}
        </IconButton>
        <div className={classes["what"]}>
          <span className={classes["stations"]}>{stationWords(byId, spec.stationIds)}</span>
          <span className={classes["detail"]}>
            <NoWrapParts text={selectionWords(spec)} separator=" · " />
          </span>
        </div>
        <div className={classes["how"]}>
          <span className={classes["state"]}>{stateWords(job, nowMs, isOffline)}</span>
          {job.state === "running" ? (
            <Progress label="Download" share={share} text={figureWords(job)} />
          ) : (
            <span className={classes["detail"]}>{job.reason ?? figureWords(job)}</span>
          )}
          <Counts job={job} />
        </div>
        {spec.only === undefined ? (
          <Switch isSelected={job.keepUp} onChange={(keepUp) => void setKeepUp(job, keepUp)}>
            Keep up
          </Switch>
        ) : null}
        <div className={classes["actions"]}>
          {/* One button in every state: the focus stays on it when the state changes under it. */}
          <IconButton
            label={isActive ? "Pause" : job.state === "paused" ? "Go on" : ASK_AGAIN}
            onPress={() => void tell(job, isActive ? "pause" : "resume")}
          >
            {isActive ? (
              <Pause aria-hidden />
            ) : job.state === "paused" ? (
              <Play aria-hidden />
            ) : (
              <RefreshCw aria-hidden />
            )}
          </IconButton>
          {job.state === "waitingForNetwork" ? (
            <IconButton label={ASK_AGAIN} onPress={() => void tell(job, "resume")}>
              <RefreshCw aria-hidden />
            </IconButton>
          ) : null}
          {isActive || job.state === "paused" ? (
            <IconButton label="Cancel" onPress={() => void tell(job, "cancel")}>
              <Square aria-hidden />
            </IconButton>
          ) : (
            <IconButton label="Remove from the list; the data stays" onPress={() => removeJob(job)}>
              <X aria-hidden />
            </IconButton>
          )}
        </div>
      </div>
      {isOpen ? <Verdicts job={job} onShow={show} /> : null}
    </li>
  );
}

/** How many cells came to which verdict, and what was odd in the answers. */
function Counts({ job }: { readonly job: Job }) {
  const verdicts = Object.entries(job.verdictCounts ?? {}) as [keyof typeof VERDICT_WORDS, number][];
  const odd = Object.entries(job.progress?.anomalies ?? {}) as [Anomaly, number][];
  if (verdicts.length === 0 && odd.length === 0) return null;
  return (
    <span className={classes["detail"]}>
      {verdicts.map(([state, n]) => `${count(n)} ${VERDICT_WORDS[state]}`).join(" · ")}
      {odd.map(([kind, n]) => (
        <span key={kind} className={classes["odd"]} title={ANOMALIES[kind]}>
          {" "}
          · {many(n, "oddity", "oddities")}: {ANOMALIES[kind]}
        </span>
      ))}
    </span>
  );
}
