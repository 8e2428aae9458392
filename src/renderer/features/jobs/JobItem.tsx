import { uncertaintyOf, type Variable } from "#shared/service/variables.ts";
import { ChevronDown, ChevronRight, Pause, Play, RefreshCw, Square, X } from "lucide-react";
import { useState } from "react";
import type { Job } from "#shared/bridge/methods/jobs.ts";
import { ANOMALIES, type Anomaly } from "#shared/series/rows.ts";
import { bridge } from "../../bridge/index.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { useNowMs } from "../../stores/clock.ts";
import { useConnection } from "../../stores/connection.ts";
import { orShowFault } from "../../stores/toasts.ts";
import { removeJob } from "../../stores/work.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { IconButton } from "../../ui/Button.tsx";
import { Switch } from "../../ui/choices.tsx";
import { Progress } from "../../ui/notes.tsx";
import { NoWrapParts } from "../../ui/layout.tsx";
import { count, many } from "../../ui/text.ts";
import { RAW_SHOWN } from "../series/query.ts";
import classes from "./jobs.module.css";
import { Verdicts } from "./Verdicts.tsx";
import { figureWords, selectionWords, stateWords, stationWords, VERDICT_WORDS } from "./words.ts";

/** The states in which a job can be paused; in all others it can be resumed. */
const CAN_PAUSE: readonly Job["state"][] = ["queued", "running", "waitingForNetwork", "needsKey"];
const RETRY = "Retry missing data";

/** A download in the list: its content, progress, results by station, and controls. */
export function JobItem({ job }: { readonly job: Job }) {
  const byId = useCatalogue((s) => s.byId);
  const nowMs = useNowMs();
  const isOffline = useConnection((s) => s.connectivity?.state === "offline");
  const [isOpen, setOpen] = useState(false);
  const { progress, spec } = job;
  const isActive = CAN_PAUSE.includes(job.state);
  const share = progress && progress.pointsTotal > 0 ? progress.pointsDone / progress.pointsTotal : null;
  const call = (name: "pause" | "resume" | "cancel"): void => void orShowFault(bridge.jobs[name]({ jobId: job.id }));
  const setKeepUp = (keepUp: boolean): void => void orShowFault(bridge.jobs.setKeepUp({ jobId: job.id, keepUp }));
  const show = (): void => {
    const uncertainties: readonly (Variable | null)[] = spec.variables.map(uncertaintyOf);
    const variables = spec.variables.filter((v) => !uncertainties.includes(v));
    // Raw rows of parts of a range were fetched to show rejected data, not as a raw series.
    const showsRejected = spec.raw && spec.only !== undefined;
    const { panes } = useWorkspace.getState();
    useWorkspace.setState({
      range: spec.range,
      intervalSeconds: spec.intervalSeconds,
      raw: spec.raw && !showsRejected,
      resampled: false,
      ...(showsRejected ? { panes: { ...panes, [RAW_SHOWN]: true } } : {}),
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
          <Switch isSelected={job.keepUp} onChange={setKeepUp}>
            Keep up
          </Switch>
        ) : null}
        <div className={classes["actions"]}>
          {/* The same button in every state, so that it keeps the focus when the state changes. */}
          <IconButton
            label={isActive ? "Pause" : job.state === "paused" ? "Resume" : RETRY}
            onPress={() => call(isActive ? "pause" : "resume")}
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
            <IconButton label={RETRY} onPress={() => call("resume")}>
              <RefreshCw aria-hidden />
            </IconButton>
          ) : null}
          {isActive || job.state === "paused" ? (
            <IconButton label="Cancel" onPress={() => call("cancel")}>
              <Square aria-hidden />
            </IconButton>
          ) : (
            <IconButton label="Remove from the list and keep the data" onPress={() => removeJob(job)}>
              <X aria-hidden />
            </IconButton>
          )}
        </div>
      </div>
      {isOpen ? <Verdicts job={job} onShow={show} /> : null}
    </li>
  );
}

/** Counts of verdicts, and the irregularities in the responses. */
function Counts({ job }: { readonly job: Job }) {
  const verdicts = Object.entries(job.verdictCounts ?? {}) as [keyof typeof VERDICT_WORDS, number][];
  const irregularities = Object.entries(job.progress?.anomalies ?? {}) as [Anomaly, number][];
  if (verdicts.length === 0 && irregularities.length === 0) return null;
  return (
    <span className={classes["detail"]}>
      {verdicts.map(([state, n]) => `${count(n)} ${VERDICT_WORDS[state]}`).join(" · ")}
      {irregularities.map(([kind, n]) => (
        <span key={kind} className={classes["irregularity"]} title={ANOMALIES[kind]}>
          {" "}
          · {many(n, "irregularity", "irregularities")}: {ANOMALIES[kind]}
        </span>
      ))}
    </span>
  );
}
