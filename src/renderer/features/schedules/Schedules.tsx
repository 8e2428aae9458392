import {
  BellRing,
  CalendarClock,
  ChevronDown,
  ChevronRight,
  Copy,
  Pause,
  Pencil,
  Play,
  Square,
  Trash2,
} from "lucide-react";
import { useState } from "react";
import type { KeptSchedule } from "#shared/bridge/methods/jobs.ts";
import type { ScheduleRun } from "#shared/schedule/run.ts";
import { MISSING_WORDS, runDetails, runWords } from "#shared/schedule/schedule.ts";
import { silentSentence } from "#shared/schedule/silence.ts";
import { formatUtcShort, MINUTE_MS, startOfDay, type UtcMs } from "#shared/time/utc.ts";
import { ledgerOf, runsOf } from "../../ask/questions.ts";
import { useAsk } from "../../ask/useAsk.ts";
import { bridge } from "../../bridge/index.ts";
import { useCapabilities } from "../../stores/capabilities.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { useNowMs } from "../../stores/clock.ts";
import { useConnectionId, useIsFile } from "../../stores/connection.ts";
import { openDialog } from "../../stores/dialogs.ts";
import { deleteSchedule, useSchedules } from "../../stores/schedules.ts";
import { orShowFault } from "../../stores/toasts.ts";
import { useWork } from "../../stores/work.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { Button, IconButton, QuietButton } from "../../ui/Button.tsx";
import { EmptyState, FaultNote } from "../../ui/notes.tsx";
import { NoWrapParts, Page } from "../../ui/layout.tsx";
import { bytes, many, utcMinutes } from "../../ui/text.ts";
import { showFile } from "../export/useExportToasts.ts";
import { GuideLink } from "../guide/GuideLink.tsx";
import { stationWords } from "../jobs/labels.ts";
import { duplicateSchedule, newSchedule } from "./draft.ts";
import { useSilentOf } from "./useSilent.ts";
import { dataText, lastText, nextText } from "./labels.ts";
import classes from "./schedules.module.css";
import { type LedgerRange, RANGE_STATE_WORDS, RANGE_STATES, type RangeState } from "#shared/schedule/ledger.ts";

const TRIGGERS: Readonly<Record<ScheduleRun["trigger"], string>> = {
  time: "scheduled",
  missed: "for missed ranges",
  retry: "retry",
  user: "started manually",
};

/** The last runs of a schedule, newest first. */
function RunHistory({ kept: { id, schedule } }: { readonly kept: KeptSchedule }) {
  const { value: runs, fault } = useAsk(runsOf, { id }, { delayMs: 0 });
  if (fault) return <FaultNote fault={fault} />;
  return (
    <ol className={`${classes["runs"]} list-none`} aria-label={`Runs of “${schedule.name}”`}>
      {runs?.map((run) => (
        <RunItem key={run.id} run={run} />
      ))}
    </ol>
  );
}

function RunItem({ run }: { readonly run: ScheduleRun }) {
  const byId = useCatalogue((s) => s.byId);
  const { showInFolder } = useCapabilities();
  return (
    <li
      className={`${classes["run"]} grid grid-cols-[220px_1fr] gap-x-4 py-1 text-small leading-4.5`}
      data-state={run.state}
    >
      <span className="text-quiet tabular-nums">
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
            <span className="wrap-anywhere select-text">{path}</span> ({bytes(size)})
            {showInFolder ? <QuietButton label="Show in folder" onPress={() => void showFile(path)} /> : null}
          </span>
        ))}
      </span>
    </li>
  );
}

/** A schedule in the list: its content, next run, last run, and controls. */
function ScheduleItem({ kept }: { readonly kept: KeptSchedule }) {
  const { id, schedule, lastRun, stage } = kept;
  const { name, isPaused } = schedule;
  const byId = useCatalogue((s) => s.byId);
  const nowMs = useNowMs();
  const job = useWork(({ jobs }) => jobs.find((one) => one.id === kept.jobId) ?? null);
  const [isOpen, setOpen] = useState(false);
  const silent = silentSentence(useSilentOf(schedule), (schedule.silentMinutes ?? 0) * MINUTE_MS);
  const hasFailed = lastRun?.state === "failed" || lastRun?.state === "incomplete";
  return (
    <li className="pt-3 pb-1 border-b border-line" aria-label={name}>
      <div className="flex flex-wrap items-start gap-x-2 gap-y-1">
        <div className="stack flex-[1_1_320px] gap-0.5 min-w-0">
          <strong className="wrap-anywhere">{name}</strong>
          <span className={classes["quiet"]}>
            <NoWrapParts text={dataText(schedule, byId)} separator=" · " />
          </span>
          <span className={classes["quiet"]}>
            <NoWrapParts text={nextText(kept, nowMs, job)} separator=" · " />
          </span>
        </div>
        {/* The same button in every state, so that it keeps the focus when the state changes. */}
        <Button
          onPress={() =>
            void orShowFault(stage === null ? bridge.schedules.run({ id }) : bridge.schedules.stop({ id }))
          }
          icon={stage === null ? Play : Square}
        >
          {stage === null ? "Run now" : "Stop"}
          <span className="visually-hidden"> “{name}”</span>
        </Button>
        <div className="flex">
          <IconButton
            label={isPaused ? `Resume “${name}”` : `Pause “${name}”`}
            onPress={() => void orShowFault(bridge.schedules.setPaused({ id, isPaused: !isPaused }))}
            icon={isPaused ? Play : Pause}
          />
          <IconButton
            label={`Edit “${name}”`}
            onPress={() => openDialog({ kind: "schedule", id, schedule })}
            icon={Pencil}
          />
          <IconButton label={`Duplicate “${name}”`} onPress={() => duplicateSchedule(schedule)} icon={Copy} />
          <IconButton label={`Delete “${name}”`} onPress={() => deleteSchedule(kept)} icon={Trash2} />
        </div>
      </div>
      <div className={classes["last"]} data-bad={hasFailed || undefined}>
        {lastRun === null ? (
          <span>{lastText(null, nowMs)}</span>
        ) : (
          <Button
            look="quiet"
            aria-expanded={isOpen}
            onPress={() => setOpen(!isOpen)}
            icon={isOpen ? ChevronDown : ChevronRight}
          >
            {lastText(lastRun, nowMs)}
            <span className="visually-hidden"> History of “{name}”</span>
          </Button>
        )}
        {hasFailed && lastRun && !isOpen ? <span className="basis-full pb-2">{runDetails(lastRun)}</span> : null}
      </div>
      {silent === null ? null : (
        <p className={classes["silent"]}>
          <BellRing aria-hidden />
          {silent}
        </p>
      )}
      <LedgerStrip kept={kept} />
      {isOpen ? <RunHistory kept={kept} /> : null}
    </li>
  );
}

/** The schedules of the open connection, with the next and the last run of each. */
export function Schedules() {
  const connectionId = useConnectionId();
  const isFile = useIsFile();
  const all = useSchedules();
  const own = all?.filter(({ schedule }) => schedule.connectionId === connectionId) ?? [];
  const hasStations = useWorkspace((s) => s.stationIds.length > 0);
  const { shell } = useCapabilities();
  const button = (
    <Button look="primary" isDisabled={!hasStations} onPress={() => newSchedule()}>
      New schedule
    </Button>
  );
  if (isFile)
    return (
      <Page title="Schedules">
        <p className={classes["note"]}>These data are from a file. There is no service to download from.</p>
      </Page>
    );
  if (all !== null && own.length === 0)
    return (
      <Page title="Schedules">
        <EmptyState icon={CalendarClock} title="No schedules" actions={button}>
          {hasStations
            ? "A schedule downloads the selected stations regularly, for example yesterday’s data every morning, and writes files afterwards."
            : "Select stations first. A schedule downloads them regularly and writes files afterwards."}
        </EmptyState>
      </Page>
    );
  return (
    <Page title="Schedules">
      <div className="row justify-between gap-6 mt-4">
        <p className={classes["note"]}>
          {shell === "web"
            ? "Schedules run until the server of this page ends."
            : "Schedules run while a window is open."}{" "}
          <GuideLink page="schedules" anchor="without-a-window">
            Run them without a window
          </GuideLink>
        </p>
        {button}
      </div>
      <ul className="mt-4 border-t border-line list-none" aria-label="Schedules">
        {own.map((kept) => (
          <ScheduleItem key={kept.id} kept={kept} />
        ))}
      </ul>
    </Page>
  );
}

/** Number of days in the strip. */
const DAYS = 60;

interface LedgerDay {
  readonly dayMs: UtcMs;
  readonly state: RangeState;
  readonly reason: string | null;
}

/** The days of the ranges, each with the worst state of a range that ends in it, oldest first. */
function ledgerDays(ranges: readonly LedgerRange[]): LedgerDay[] {
  const days = Map.groupBy(ranges, ({ endMs }) => startOfDay(endMs - 1));
  return [...days]
    .toSorted(([a], [b]) => a - b)
    .map(([dayMs, all]) => {
      const [worst] = all.toSorted((a, b) => RANGE_STATES.indexOf(a.state) - RANGE_STATES.indexOf(b.state));
      return { dayMs, state: worst?.state ?? "due", reason: worst?.reason ?? null };
    });
}

function dayText({ dayMs, state, reason }: LedgerDay): string {
  return `${formatUtcShort(dayMs).slice(0, 10)}: ${RANGE_STATE_WORDS[state]}${reason === null ? "" : `. ${reason}`}`;
}

/** The last days of a schedule's ledger as a strip, with a summary in words. */
function LedgerStrip({ kept: { id } }: { readonly kept: KeptSchedule }) {
  const { value } = useAsk(ledgerOf, { id }, { delayMs: 0 });
  const all = ledgerDays(value ?? []);
  if (all.length === 0) return null;
  const days = all.slice(-DAYS);
  const counts = RANGE_STATES.toReversed().flatMap((state) => {
    const n = days.filter((day) => day.state === state).length;
    if (n === 0) return [];
    return [n === days.length ? RANGE_STATE_WORDS[state] : `${RANGE_STATE_WORDS[state]} ${n}`];
  });
  return (
    <div className="row flex-wrap gap-x-3 gap-y-1 pb-2">
      <div className="flex gap-0.5" aria-hidden>
        {days.map((day) => (
          <span key={day.dayMs} className={classes["day"]} data-state={day.state} title={dayText(day)} />
        ))}
      </div>
      <span className={classes["quiet"]}>
        {days.length < all.length ? `Last ${many(days.length, "day")}` : many(days.length, "day")}: {counts.join(", ")}
      </span>
    </div>
  );
}
