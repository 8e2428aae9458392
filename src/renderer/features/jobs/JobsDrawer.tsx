import { z } from "zod";
import { X } from "lucide-react";
import { type KeyboardEvent, type PointerEvent, useRef, useState } from "react";
import { hasEnded } from "#shared/job/job.ts";
import { useCommand } from "../../stores/commands.ts";
import { useConnection, useConnectionId, useIsFile, usePausedUntilMs } from "../../stores/connection.ts";
import { endedExports, removeEndedExports, useSomeJob, useWork } from "../../stores/work.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { Button, IconButton, QuietButton } from "../../ui/Button.tsx";
import { useReturnFocus } from "../../ui/keepFocus.ts";
import { EmptyState } from "../../ui/notes.tsx";
import { useExportToasts } from "../export/useExportToasts.ts";
import { ExportItem } from "./ExportItem.tsx";
import { JobItem } from "./JobItem.tsx";
import classes from "./jobs.module.css";
import { pane, usePane } from "../../stores/pane.ts";
import type { Connectivity } from "#shared/bridge/methods/connections.ts";
import { clocksSentence } from "#shared/clocks.ts";
import { bridge } from "../../bridge/index.ts";
import { useNowMs } from "../../stores/clock.ts";
import { openDialog } from "../../stores/dialogs.ts";
import { useCore } from "../../stores/core.ts";
import { showFault, type Toast } from "../../stores/toasts.ts";
import { ago, timeOfDay, utcMinutes } from "../../ui/text.ts";

const MIN_PX = 120;
const DEFAULT_PX = 280;
const STEP_PX = 28;

const HEIGHT_PX = pane("jobs.heightPx", z.number().catch(DEFAULT_PX));

/** Maximum height of the drawer, so that part of the views remains visible, px. */
function maxPx(): number {
  return Math.max(MIN_PX, Math.round(innerHeight * 0.6));
}

function clamped(heightPx: number): number {
  return Math.round(Math.min(maxPx(), Math.max(MIN_PX, heightPx)));
}

/** Returns the stored height of the drawer, px, and a function that changes it. */
function useDrawerHeight(): [number, (heightPx: number) => void] {
  const [kept, keep] = usePane(HEIGHT_PX);
  return [clamped(kept), (heightPx) => keep(clamped(heightPx))];
}

interface DrawerHandleProps {
  readonly heightPx: number;
  readonly onChange: (heightPx: number) => void;
}

/** The upper edge of the drawer, which can be dragged or moved with the arrow keys. */
function DrawerHandle({ heightPx, onChange }: DrawerHandleProps) {
  const dragStart = useRef<{ readonly y: number; readonly heightPx: number } | null>(null);
  const onPointerDown = (event: PointerEvent): void => {
    event.currentTarget.setPointerCapture(event.pointerId);
    dragStart.current = { y: event.clientY, heightPx };
  };
  const onPointerMove = (event: PointerEvent): void => {
    const start = dragStart.current;
    if (start) onChange(start.heightPx + start.y - event.clientY);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "ArrowUp") onChange(heightPx + STEP_PX);
    else if (event.key === "ArrowDown") onChange(heightPx - STEP_PX);
    else return;
    event.preventDefault();
  };
  return (
    <div
      role="separator"
      aria-label="Height of the drawer"
      aria-orientation="horizontal"
      aria-valuenow={heightPx}
      aria-valuemin={MIN_PX}
      aria-valuemax={maxPx()}
      tabIndex={0}
      className={classes["handle"]}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={() => (dragStart.current = null)}
      onKeyDown={onKeyDown}
    />
  );
}

function toggle(): void {
  useWorkspace.setState((s) => ({ isDrawerOpen: !s.isDrawerOpen }));
}

/** The list of downloads and exports above the status bar; it is not modal. */
export function JobsDrawer() {
  const isOpen = useWorkspace((s) => s.isDrawerOpen);
  useCommand("jobs", toggle);
  useExportToasts();
  return isOpen ? <Drawer /> : null;
}

/** The id of the button that gets the focus when the drawer closes. */
export const JOBS_BUTTON_ID = "jobs-button";

/** What the status bar speaks of is first when it opens. */
function Drawer() {
  const drawer = useRef<HTMLElement>(null);
  useReturnFocus(drawer, JOBS_BUTTON_ID);
  const connectionId = useConnectionId();
  const jobs = useWork((s) => s.jobs).filter((j) => j.connectionId === connectionId);
  const [heightPx, setHeightPx] = useDrawerHeight();
  const exports = useWork((s) => s.exports).filter((e) => e.connectionId === connectionId);
  // Nothing moves while the drawer is open: what is new comes first, and what ends stays.
  const [ended] = useState(
    () =>
      new Set([
        ...jobs.filter(hasEnded).map(({ id }) => id),
        ...endedExports(exports, connectionId).map(({ id }) => id),
      ]),
  );
  const work = [
    ...exports.map((task) => ({ id: task.id, item: <ExportItem key={task.id} task={task} /> })),
    ...jobs.map((job) => ({ id: job.id, item: <JobItem key={job.id} job={job} /> })),
  ].toSorted((a, b) => Number(ended.has(a.id)) - Number(ended.has(b.id)));
  return (
    <section
      ref={drawer}
      tabIndex={-1}
      aria-label="Downloads and exports"
      data-region
      className={classes["drawer"]}
      // In a very low window the status bar and a strip of the view remain visible.
      style={{ maxHeight: `min(${heightPx}px, calc(100vh - var(--title) - 76px))` }}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        // Handled here: nothing else closes.
        event.preventDefault();
        toggle();
      }}
    >
      <DrawerHandle heightPx={heightPx} onChange={setHeightPx} />
      <header className="row flex-none gap-1 h-9 pr-2 pl-4 border-b border-line">
        <h2 className="mr-auto">Downloads and exports</h2>
        {endedExports(exports, connectionId).length > 1 ? (
          <QuietButton label="Clear finished exports" onPress={() => removeEndedExports(connectionId)} />
        ) : null}
        <IconButton label="Close" onPress={toggle} icon={X} />
      </header>
      <Network />
      {jobs.length + exports.length === 0 ? (
        <EmptyState title="No downloads or exports in the list">
          Select stations and a time range, then press Fetch. Downloads and exports appear here.
        </EmptyState>
      ) : (
        <ul className="scroll flex-[0_1_auto] min-h-0 list-none">{work.map(({ item }) => item)}</ul>
      )}
    </section>
  );
}

/** Whether the service is reachable, since when and why not, and whether its clock differs, with a button to check again. */
function Network() {
  const connectivity = useConnection((s) => s.connectivity);
  const clocks = useConnection((s) => s.current?.clocks ?? null);
  const pausedUntilMs = usePausedUntilMs();
  const lost = useCore((s) => s.lostReason);
  if (useIsFile() && lost === null) return null;
  return (
    <section aria-label="Network" className="row caption gap-3 pt-1 pr-3 pb-2 pl-4 border-b border-line">
      <div className="flex-1 min-w-0 wrap-anywhere">
        {lost !== null ? <p>{lost}. The window reconnects automatically. Stored data are safe.</p> : null}
        {lost === null && connectivity ? <Reason {...connectivity} /> : null}
        {lost === null && pausedUntilMs !== null ? (
          <p>
            The service asked to wait until {timeOfDay(pausedUntilMs)} UTC. Downloads and live values wait. Checking now
            sends one small request; if it is answered, the wait ends.
          </p>
        ) : null}
        {clocks === null ? null : <p>{clocksSentence(clocks)}</p>}
      </div>
      <CheckNow />
    </section>
  );
}

function Reason({ state, sinceMs, reason }: Connectivity) {
  const nowMs = useNowMs();
  // A download that waits says when it tries again.
  const isWaiting = useSomeJob((job) => job.state === "waitingForNetwork");
  if (state === "unknown") return <p>No request has been sent since this connection was opened.</p>;
  const since = (
    <>
      since <span className="whitespace-nowrap">{utcMinutes(sinceMs)} UTC</span> (
      {ago(sinceMs, Math.max(nowMs, sinceMs))})
    </>
  );
  if (state === "online") return <p>The service has been reachable {since}.</p>;
  return (
    <>
      <p>
        The service has been unreachable {since}. Cached data remain available; downloads wait.
        {isWaiting ? null : " This window asks again every minute."}
      </p>
      {reason === null ? null : <p className="text-quiet">{reason}</p>}
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
    <Button isPending={isBusy} onPress={() => void check()}>
      {isBusy ? "Checking…" : "Check now"}
    </Button>
  );
}
