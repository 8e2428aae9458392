import { useEffect, useState } from "react";
import type { KeptSchedule } from "#shared/bridge/methods/schedules.ts";
import type { AppFault } from "#shared/fault.ts";
import type { ScheduleRun } from "#shared/schedule/run.ts";
import { MISSING_WORDS, runWords } from "#shared/schedule/schedule.ts";
import { bridge } from "../../bridge/index.ts";
import { useCapabilities } from "../../stores/capabilities.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { Button } from "../../ui/Button.tsx";
import { FaultNote } from "../../ui/notes.tsx";
import { bytes, utcMinutes } from "../../ui/text.ts";
import { showFile } from "../export/showFile.ts";
import { stationWords } from "../jobs/words.ts";
import classes from "./schedules.module.css";

const TRIGGERS: Readonly<Record<ScheduleRun["trigger"], string>> = {
  time: "scheduled",
  missed: "after a missed run",
  user: "started manually",
};

/** The last runs of a schedule, newest first. */
export function RunHistory({ kept: { id, schedule, lastRun } }: { readonly kept: KeptSchedule }) {
  const [runs, setRuns] = useState<readonly ScheduleRun[]>([]);
  const [fault, setFault] = useState<AppFault | null>(null);
  useEffect(() => {
    let isUnmounted = false;
    const load = async (): Promise<void> => {
      const answer = await bridge.schedules.history({ id });
      if (isUnmounted) return;
      if (answer.ok) setRuns(answer.value);
      setFault(answer.ok ? null : answer.error);
    };
    void load();
    return () => void (isUnmounted = true);
    // Loaded again when a run starts or ends.
  }, [id, lastRun?.id, lastRun?.state]);
  if (fault) return <FaultNote fault={fault} />;
  return (
    <ol className={classes["runs"]} aria-label={`Runs of “${schedule.name}”`}>
      {runs.map((run) => (
        <RunItem key={run.id} run={run} />
      ))}
    </ol>
  );
}

function RunItem({ run }: { readonly run: ScheduleRun }) {
  const byId = useCatalogue((s) => s.byId);
  const { showInFolder } = useCapabilities();
  return (
    <li className={classes["run"]} data-state={run.state}>
      <span className={classes["when"]}>
        {utcMinutes(run.startedMs)} UTC, {TRIGGERS[run.trigger]}
      </span>
      <span className={classes["did"]}>
        {runWords(run)}
        {run.missing.map(({ state, reason, stations, stationIds }) => (
          <span key={`${state} ${reason ?? ""}`} className={classes["detail"]}>
            {stationWords(byId, stationIds)}
            {stations > stationIds.length ? ` and ${stations - stationIds.length} more` : ""}: {MISSING_WORDS[state]}
            {reason === null ? "" : `. ${reason}`}
          </span>
        ))}
        {run.files.map(({ path, bytes: size }) => (
          <span key={path} className={classes["detail"]}>
            <span className={classes["path"]}>{path}</span> ({bytes(size)})
            {showInFolder ? (
              <Button look="quiet" onPress={() => void showFile(path)}>
                Show in folder
              </Button>
            ) : null}
          </span>
        ))}
      </span>
    </li>
  );
}
