import { useConnection, useConnectionId } from "../../stores/connection.ts";
import { Facts, Page, PageSection } from "../../ui/layout.tsx";
import { bytes, count } from "../../ui/text.ts";
import { useCacheStatistics } from "../../stores/cacheQuery.ts";
import { Orphans } from "../start/Orphans.tsx";
import { ByStation, useDeleteData } from "./ByStation.tsx";
import { Damage, Quarantine } from "./Damage.tsx";
import { Maintenance, TaskRow, useCacheTasks } from "./Maintenance.tsx";
import { CompareWithService } from "./CompareWithService.tsx";
import { Limit } from "./Limit.tsx";
import classes from "./storage.module.css";
import { CacheLocation } from "./CacheLocation.tsx";
import { useState } from "react";
import { Button } from "../../ui/Button.tsx";

/** The cache of the open connection: content, size limit, maintenance and location. */
export function Storage() {
  const statistics = useCacheStatistics();
  const connectionId = useConnectionId();
  const isFile = useConnection((s) => s.current?.info.kind === "file");

  return (
    <Page title="Storage">
      <Damage key={`damage-${connectionId}`} connectionId={connectionId} />
      <Quarantine key={`quarantine-${connectionId}`} connectionId={connectionId} />
      <PageSection title="Content">
        <Facts
          facts={[
            { label: "Size", value: statistics ? bytes(statistics.fileBytes) : "…" },
            { label: "Rows", value: statistics ? count(statistics.rows) : "…" },
            { label: "Stations", value: statistics ? count(statistics.stations) : "…" },
          ]}
        />
        {isFile ? (
          <p className={classes["note"]}>
            These data come from a file and are read-only. Remove the connection when you no longer need them.
          </p>
        ) : null}
      </PageSection>
      <RunningTasks connectionId={connectionId} />
      <ByStation key={`stations-${connectionId}`} connectionId={connectionId} />
      {isFile ? null : (
        <>
          <Limit key={`limit-${connectionId}`} connectionId={connectionId} />
          <CompareWithService key={`compare-${connectionId}`} connectionId={connectionId} />
        </>
      )}
      <Maintenance key={`maintenance-${connectionId}`} connectionId={connectionId} />
      <CacheLocation key={`location-${connectionId}`} connectionId={connectionId} path={statistics?.path ?? null} />
      {isFile ? null : <DeleteAll key={`delete-${connectionId}`} connectionId={connectionId} />}
      <Orphans isSection />
    </Page>
  );
}

/** The running deletions of the connection, wherever in the window they were started. */
function RunningTasks({ connectionId }: { readonly connectionId: string }) {
  const tasks = useCacheTasks((s) => s.tasks);
  const own = tasks.filter((task) => task.connectionId === connectionId);
  if (own.length === 0) return null;
  return (
    <PageSection title="In progress">
      {own.map((task) => (
        <TaskRow key={task.workId} task={task} />
      ))}
    </PageSection>
  );
}

/** Deletes all data of the connection; single stations are deleted in the table. */
function DeleteAll({ connectionId }: { readonly connectionId: string }) {
  const [isPending, setPending] = useState(false);
  const deleteData = useDeleteData(connectionId);
  const deleteAll = (): void => {
    setPending(true);
    const what = "Everything cached from this connection";
    deleteData({ stationIds: null, variables: null, what, onSettled: () => setPending(false) });
  };
  return (
    <PageSection title="Delete">
      <div className={classes["row"]}>
        <p className={classes["text"]}>All data of this connection, pinned or not; the list of stations is kept.</p>
        <Button look="danger" isDisabled={isPending} onPress={deleteAll}>
          Delete everything
        </Button>
      </div>
      <p role="status" className={classes["said"]}>
        {isPending ? "Waiting, so that you can undo it." : null}
      </p>
    </PageSection>
  );
}
