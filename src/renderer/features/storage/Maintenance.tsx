import { Button } from "../../ui/Button.tsx";
import { FaultNote } from "../../ui/notes.tsx";
import { PageSection } from "../../ui/Page.tsx";
import { check, compact, repair, useMaintenance } from "./maintenance.ts";
import classes from "./storage.module.css";
import { TaskRow } from "./TaskRow.tsx";

/** Checks, repairs and compacts the cache file. */
export function Maintenance({ connectionId }: { readonly connectionId: string }) {
  const state = useMaintenance(connectionId);
  const busyWith = state.kind === "busy" ? state.operation : null;
  return (
    <PageSection title="Maintenance">
      <div className={classes["row"]}>
        <p className={classes["text"]}>Verifies all checksums.</p>
        <Button
          isPending={busyWith === "check"}
          isDisabled={busyWith !== null && busyWith !== "check"}
          onPress={() => void check(connectionId)}
        >
          Check
        </Button>
      </div>
      <div className={classes["row"]}>
        <p className={classes["text"]}>
          Removes damaged days and keeps all others. The removed data are marked “not downloaded” and can be fetched
          again.
        </p>
        <Button
          isPending={busyWith === "repair"}
          isDisabled={busyWith !== null && busyWith !== "repair"}
          onPress={() => void repair(connectionId)}
        >
          Repair
        </Button>
      </div>
      <div className={classes["row"]}>
        <p className={classes["text"]}>Shrinks the file after data were deleted. Downloads wait until it is done.</p>
        <Button
          isPending={busyWith === "compact"}
          isDisabled={busyWith !== null && busyWith !== "compact"}
          onPress={() => void compact(connectionId)}
        >
          Compact
        </Button>
      </div>
      {state.kind === "busy" ? <TaskRow key={state.task.workId} task={state.task} /> : null}
      {state.kind === "failed" ? <FaultNote fault={state.fault} /> : null}
      <p role="status" className={classes["said"]} data-bad={(state.kind === "done" && state.isBad) || undefined}>
        {state.kind === "done" ? state.text : null}
      </p>
    </PageSection>
  );
}
