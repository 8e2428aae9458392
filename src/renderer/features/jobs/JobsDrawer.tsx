import { X } from "lucide-react";
import { useRef } from "react";
import { useCommand } from "../../stores/commands.ts";
import { useConnectionId } from "../../stores/connection.ts";
import { endedExports, removeEndedExports, useWork } from "../../stores/work.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { Button, IconButton } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/notes.tsx";
import { useReturnFocus } from "../../ui/keepFocus.ts";
import { useExportToasts } from "../export/useExportToasts.ts";
import { DrawerHandle, useDrawerHeight } from "./DrawerHandle.tsx";
import { ExportItem } from "./ExportItem.tsx";
import { JobItem } from "./JobItem.tsx";
import classes from "./jobs.module.css";

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

function Drawer() {
  const drawer = useRef<HTMLElement>(null);
  useReturnFocus(drawer, JOBS_BUTTON_ID);
  const connectionId = useConnectionId();
  const jobs = useWork((s) => s.jobs).filter((j) => j.connectionId === connectionId);
  const [heightPx, setHeightPx] = useDrawerHeight();
  const exports = useWork((s) => s.exports).filter((e) => e.connectionId === connectionId);
  return (
    <section
      ref={drawer}
      tabIndex={-1}
      aria-label="Downloads and exports"
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
      <header className={classes["bar"]}>
        <h2>Downloads and exports</h2>
        {endedExports(exports, connectionId).length > 1 ? (
          <Button look="quiet" onPress={() => removeEndedExports(connectionId)}>
            Clear finished exports
          </Button>
        ) : null}
        <IconButton label="Close" onPress={toggle}>
          <X aria-hidden />
        </IconButton>
      </header>
      {jobs.length + exports.length === 0 ? (
        <EmptyState title="No downloads or exports in the list">
          Select stations and a time range, then press Fetch. Downloads and exports appear here.
        </EmptyState>
      ) : (
        <ul className={classes["items"]}>
          {exports.map((task) => (
            <ExportItem key={task.id} task={task} />
          ))}
          {jobs.map((job) => (
            <JobItem key={job.id} job={job} />
          ))}
        </ul>
      )}
    </section>
  );
}
