import { ChevronUp } from "lucide-react";
import { useMemo, useState } from "react";
import { DialogTrigger, Popover } from "react-aria-components";
import type { Connectivity } from "#shared/bridge/methods/connections.ts";
import type { ExportTask } from "#shared/bridge/methods/export.ts";
import type { Job, JobViewState } from "#shared/bridge/methods/jobs.ts";
import { clocksSentence } from "#shared/clocks.ts";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import { bridge } from "../../bridge/index.ts";
import { useCacheSize } from "../../ask/useAsk.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { useNowMs } from "../../stores/clock.ts";
import { useConnection, useConnectionId, useIsFile, useIsOffline, usePausedUntilMs } from "../../stores/connection.ts";
import { openDialog } from "../../stores/dialogs.ts";
import { useEngine } from "../../stores/engine.ts";
import { showFault, type Toast } from "../../stores/toasts.ts";
import { useWork } from "../../stores/work.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { Button } from "../../ui/Button.tsx";
import { ago, bytes, count, duration, many, timeOfDay, utcMinutes } from "../../ui/text.ts";
import { JOBS_BUTTON_ID } from "../jobs/JobsDrawer.tsx";
import floating from "../../ui/floating.module.css";
import classes from "./status.module.css";

const ACTIVE: ReadonlySet<JobViewState> = new Set(["queued", "running"]);

/** Texts for jobs that are not running, by state, the most urgent state first. */
const STOPPED: readonly [JobViewState, (jobs: number) => string][] = [
  ["needsKey", (n) => `${many(n, "job")} ${n === 1 ? "needs" : "need"} a key`],
  ["broken", (n) => `${many(n, "job")} cannot continue`],
  ["waitingForNetwork", (n) => `${many(n, "job")} ${n === 1 ? "waits" : "wait"} for the service`],
  ["paused", (n) => `${many(n, "job")} paused`],
];

/** Summarizes downloads and exports in one line: running ones, then waiting ones; null if there are none. */
export function jobsSummary(jobs: readonly Job[], exports: readonly ExportTask[]): string | null {
  const parts = [running(jobs), writing(exports)].filter((part) => part !== null);
  for (const [state, text] of STOPPED) {
    const stopped = jobs.filter((job) => job.state === state).length;
    if (stopped > 0) parts.push(text(stopped));
  }
  return parts.length === 0 ? null : parts.join(" · ");
}

function running(all: readonly Job[]): string | null {
  const jobs = all.filter((job) => ACTIVE.has(job.state));
  if (jobs.length === 0) return null;
  const figures = jobs.flatMap((job) => job.progress ?? []);
  const total = sum(figures.map((p) => p.pointsTotal));
  const started = many(jobs.length, "job");
  if (total === 0) return `${started}: starting`;
  const done = Math.min(total, sum(figures.map((p) => p.pointsDone)));
  const left = figures.flatMap((p) => p.secondsLeft ?? []);
  // The jobs share one service, so all are done when the longest is done, at the earliest.
  const time = left.length > 0 ? `, ${duration(Math.max(...left))} left` : "";
  return `${started}: ${count(done)} of ${count(total)} points${time}`;
}

function writing(exports: readonly ExportTask[]): string | null {
  const running = exports.filter((task) => task.state === "running");
  if (running.length === 0) return null;
  const total = sum(running.map((task) => task.rowsTotal));
  const share = total === 0 ? 0 : sum(running.map((task) => task.rowsDone)) / total;
  return `${many(running.length, "export")}: ${Math.floor(Math.min(1, share) * 100)} %`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, n) => all + n, 0);
}

const WORDS = { unknown: "not contacted yet", online: "online", offline: "offline" } as const;

/** Shows whether the service is reachable; a popover shows since when, why, and a button to check again. */
function ConnectivityButton() {
  const connectivity = useConnection((s) => s.connectivity);
  const lost = useEngine((s) => s.lostReason);
  const isFile = useIsFile();
  const clocks = useConnection((s) => s.current?.clocks ?? null);
  const state = connectivity?.state ?? "unknown";
  const pausedUntilMs = usePausedUntilMs();
  const reach = pausedUntilMs === null ? WORDS[state] : `paused by the service until ${timeOfDay(pausedUntilMs)} UTC`;
  const words = lost === null ? reach + (clocks === null ? "" : ", clocks differ") : "reconnecting…";
  if (isFile && lost === null) return <span className={classes["source"]}>from a file</span>;
  return (
    <DialogTrigger>
      <Button look="quiet" aria-label={`Network: ${words}`}>
        <span data-swatch className={classes["dot"]} data-state={lost === null ? state : "lost"} />
        <span role="status">{words}</span>
      </Button>
      <Popover className={floating["popover"]} placement="top start" offset={6}>
        <div className={classes["reason"]}>
          {lost !== null ? <p>{lost}. The window reconnects automatically. Stored data are safe.</p> : null}
          {lost === null && connectivity ? <Reason {...connectivity} /> : null}
          {lost === null && pausedUntilMs !== null ? (
            <p>
              The service asked to wait until {timeOfDay(pausedUntilMs)} UTC. Downloads and live values wait. Checking
              now sends one small request; if it is answered, the wait ends.
            </p>
          ) : null}
          {clocks === null ? null : <p>{clocksSentence(clocks)}</p>}
          <CheckNow />
        </div>
      </Popover>
    </DialogTrigger>
  );
}

function Reason({ state, sinceMs, reason }: Connectivity) {
  const nowMs = useNowMs();
  if (state === "unknown") return <p>No request has been sent since this connection was opened.</p>;
  const since = (
    <>
      since <span className={classes["moment"]}>{utcMinutes(sinceMs)} UTC</span> (
      {ago(sinceMs, Math.max(nowMs, sinceMs))})
    </>
  );
  if (state === "online") return <p>The service is reachable, {since}.</p>;
  return (
    <>
      <p>The service is unreachable, {since}. Cached data remain available; downloads wait.</p>
      {reason === null ? null : <p className="quiet">{reason}</p>}
    </>
  );
}

function newKeyAction(): Toast["action"] {
  const connection = useConnection.getState().current?.info;
  return connection ? { label: "New key", run: () => openDialog({ kind: "key", connection }) } : null;
}

function CheckNow() {
  const connectionId = useConnectionId();
  const [isBusy, setBusy] = useState(false);
  const check = async (): Promise<void> => {
    setBusy(true);
    const answer = await bridge.connections.probe({ connectionId });
    setBusy(false);
    if (answer.ok) useConnection.setState({ connectivity: answer.value });
    else showFault(answer.error, answer.error.kind === "key" ? newKeyAction() : null);
  };
  return (
    <div>
      <Button isPending={isBusy} onPress={() => void check()}>
        {isBusy ? "Checking…" : "Check now"}
      </Button>
    </div>
  );
}

/** Network state, running jobs, size of the cache and age of the data. */
export function StatusBar() {
  return (
    <footer data-region className={classes["status"]}>
      <ConnectivityButton />
      <JobsButton />
      <span className="spring" />
      <CacheSize />
      <DataAge />
    </footer>
  );
}

function JobsButton() {
  const connectionId = useConnectionId();
  const jobs = useWork((s) => s.jobs).filter((job) => job.connectionId === connectionId);
  const exports = useWork((s) => s.exports).filter((task) => task.connectionId === connectionId);
  const isOpen = useWorkspace((s) => s.isDrawerOpen);
  const summary = jobsSummary(jobs, exports);
  const text = summary ?? "Jobs";
  return (
    <Button
      look="quiet"
      id={JOBS_BUTTON_ID}
      aria-label={summary === null ? "Jobs" : `Jobs: ${summary}`}
      aria-expanded={isOpen}
      onPress={() => useWorkspace.setState({ isDrawerOpen: !isOpen })}
    >
      <span className={classes["ellipsis"]}>{text}</span>
      <ChevronUp aria-hidden data-open={isOpen || undefined} className={classes["arrow"]} />
    </Button>
  );
}

function CacheSize() {
  const statistics = useCacheSize();
  if (!statistics) return null;
  const { fileBytes, rows, stations } = statistics;
  return (
    <Button
      look="quiet"
      aria-label={`Cache ${bytes(fileBytes)}, ${count(rows)} rows of ${many(stations, "station")}. Open storage`}
      onPress={() => useWorkspace.setState({ section: "storage" })}
    >
      cache {bytes(fileBytes)}
    </Button>
  );
}

/** Returns the time of the newest measurement in the catalogue, UTC milliseconds, or null. */
function newestMs(stations: readonly Pick<CatalogueStation, "dataLastUpdatedMs">[]): number | null {
  let newest: number | null = null;
  for (const { dataLastUpdatedMs: ms } of stations) if (ms !== null && (newest === null || ms > newest)) newest = ms;
  return newest;
}

/** The age of the newest data at the service; offline, the age of the catalogue. */
function DataAge() {
  const catalogue = useCatalogue((s) => s.catalogue);
  const isOffline = useIsOffline();
  const nowMs = useNowMs();
  const dataMs = useMemo(() => newestMs(catalogue.stations), [catalogue]);
  const { fetchedAtMs } = catalogue;
  if (fetchedAtMs === null) return null;
  if (isOffline) return <span className={classes["late"]}>as of {ago(fetchedAtMs, nowMs)}</span>;
  if (dataMs === null) return null;
  const age = ago(dataMs, nowMs);
  return <span title={`Newest measurement ${utcMinutes(dataMs)} UTC`}>newest data {age}</span>;
}
