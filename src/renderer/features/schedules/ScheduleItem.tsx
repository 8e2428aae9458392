import { ChevronDown, ChevronRight, Copy, Pause, Pencil, Play, Square, Trash2 } from "lucide-react";
import { useState } from "react";
import type { KeptSchedule } from "#shared/bridge/methods/schedules.ts";
import { runWords } from "#shared/schedule/schedule.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { useNowMs } from "../../stores/clock.ts";
import { deleteSchedule, editSchedule, runSchedule, setSchedulePaused, stopSchedule } from "../../stores/schedules.ts";
import { Button, IconButton } from "../../ui/Button.tsx";
import { NoWrapParts } from "../../ui/NoWrapParts.tsx";
import { duplicateSchedule } from "./draft.ts";
import { RunHistory } from "./RunHistory.tsx";
import classes from "./schedules.module.css";
import { dataText, lastText, nextText } from "./words.ts";

/** A schedule in the list: its content, next run, last run, and controls. */
export function ScheduleItem({ kept }: { readonly kept: KeptSchedule }) {
  const { id, schedule, lastRun, stage } = kept;
  const { name, isPaused } = schedule;
  const byId = useCatalogue((s) => s.byId);
  const nowMs = useNowMs();
  const [isOpen, setOpen] = useState(false);
  const hasFailed = lastRun?.state === "failed" || lastRun?.state === "incomplete";
  return (
    <li className={classes["item"]} aria-label={name}>
      <div className={classes["row"]}>
        <div className={classes["what"]}>
          <strong className={classes["name"]}>{name}</strong>
          <span className={classes["quiet"]}>
            <NoWrapParts text={dataText(schedule, byId)} separator=" · " />
          </span>
          <span className={classes["quiet"]}>
            <NoWrapParts text={nextText(kept, nowMs)} separator=" · " />
          </span>
        </div>
        {/* The same button in every state, so that it keeps the focus when the state changes. */}
        <Button onPress={() => void (stage === null ? runSchedule(kept) : stopSchedule(kept))}>
          {stage === null ? <Play aria-hidden /> : <Square aria-hidden />}
          {stage === null ? "Run now" : "Stop"}
          <span className="visually-hidden"> “{name}”</span>
        </Button>
        <div className={classes["actions"]}>
          <IconButton
            label={isPaused ? `Resume “${name}”` : `Pause “${name}”`}
            onPress={() => void setSchedulePaused(kept, !isPaused)}
          >
            {isPaused ? <Play aria-hidden /> : <Pause aria-hidden />}
          </IconButton>
          <IconButton label={`Edit “${name}”`} onPress={() => editSchedule({ id, schedule })}>
            <Pencil aria-hidden />
          </IconButton>
          <IconButton label={`Duplicate “${name}”`} onPress={() => duplicateSchedule(schedule)}>
            <Copy aria-hidden />
          </IconButton>
          <IconButton label={`Delete “${name}”`} onPress={() => deleteSchedule(kept)}>
            <Trash2 aria-hidden />
          </IconButton>
        </div>
      </div>
      <div className={classes["last"]} data-bad={hasFailed || undefined}>
        {lastRun === null ? (
          <span>{lastText(null, nowMs)}</span>
        ) : (
          <Button look="quiet" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
            {isOpen ? <ChevronDown aria-hidden /> : <ChevronRight aria-hidden />}
            {lastText(lastRun, nowMs)}
            <span className="visually-hidden"> History of “{name}”</span>
          </Button>
        )}
        {hasFailed && lastRun && !isOpen ? <span className={classes["reason"]}>{runWords(lastRun)}</span> : null}
      </div>
      {isOpen ? <RunHistory kept={kept} /> : null}
    </li>
  );
}
