import { useConnection } from "../../stores/connection.ts";
import { Facts } from "../../ui/Facts.tsx";
import { Page, PageSection } from "../../ui/Page.tsx";
import { bytes, count } from "../../ui/text.ts";
import { useCacheStatistics } from "../shell/useCacheStatistics.ts";
import { Orphans } from "../start/Orphans.tsx";
import { ByStation } from "./ByStation.tsx";
import { Aside } from "./Aside.tsx";
import { Maintenance } from "./Maintenance.tsx";
import { Compare } from "./Compare.tsx";
import { Damage } from "./Damage.tsx";
import { Limit } from "./Limit.tsx";
import classes from "./storage.module.css";
import { Place } from "./Place.tsx";
import { useWorks } from "./work.ts";
import { WorkRow } from "./WorkRow.tsx";
import { useState } from "react";
import { Button } from "../../ui/Button.tsx";
import { useForget } from "./forget.ts";

/** The cache of the open connection: what it holds, where it lies, and how to look after it. */
export function Storage() {
  const statistics = useCacheStatistics();
  const connectionId = useConnection((s) => s.current?.info.id ?? "");
  const isFile = useConnection((s) => s.current?.info.kind === "file");

  return (
    <Page title="Storage">
      <Damage key={`damage-${connectionId}`} connectionId={connectionId} />
      <Aside key={`aside-${connectionId}`} connectionId={connectionId} />
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
      <UnderWay connectionId={connectionId} />
      <ByStation key={`stations-${connectionId}`} connectionId={connectionId} />
      {isFile ? null : (
        <>
          <Limit key={`limit-${connectionId}`} connectionId={connectionId} />
          <Compare key={`compare-${connectionId}`} connectionId={connectionId} />
        </>
      )}
      <Maintenance key={`maintenance-${connectionId}`} connectionId={connectionId} />
      <Place key={`place-${connectionId}`} connectionId={connectionId} path={statistics?.path ?? null} />
      {isFile ? null : <Forget key={`forget-${connectionId}`} connectionId={connectionId} />}
      <Orphans isSection />
    </Room>
  );
}

/** What is being forgotten, wherever in the window that was begun. */
function UnderWay({ connectionId }: { readonly connectionId: string }) {
  const works = useWorks((s) => s.works);
  const own = works.filter((work) => work.connectionId === connectionId);
  if (own.length === 0) return null;
  return (
    <PageSection title="Under way">
      {own.map((work) => (
        <WorkRow key={work.workId} work={work} />
      ))}
    </PageSection>
  );
}

/** Everything at once; single stations are forgotten in the table. */
function Forget({ connectionId }: { readonly connectionId: string }) {
  const [isPending, setPending] = useState(false);
  const forget = useForget(connectionId);
  const forgetAll = (): void => {
    setPending(true);
    const what = "Everything cached from this connection";
    forget({ stationIds: null, variables: null, what, onSettled: () => setPending(false) });
  };
  return (
    <PageSection title="Forget">
      <div className={classes["row"]}>
        <p className={classes["text"]}>All data of this connection, pinned or not; the list of stations stays.</p>
        <Button look="danger" isDisabled={isPending} onPress={forgetAll}>
          Forget everything
        </Button>
      </div>
      <p role="status" className={classes["said"]}>
        {isPending ? "Waiting, so that you can undo it." : null}
      </p>
    </PageSection>
  );
}
