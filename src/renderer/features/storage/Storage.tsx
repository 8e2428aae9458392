import { useConnection } from "../../stores/connection.ts";
import { Facts } from "../../ui/Facts.tsx";
import { Room, RoomSection } from "../../ui/Room.tsx";
import { bytes, count } from "../../ui/text.ts";
import { useCacheStatistics } from "../shell/useCacheStatistics.ts";
import { Orphans } from "../start/Orphans.tsx";
import { ByStation } from "./ByStation.tsx";
import { Aside } from "./Aside.tsx";
import { Maintenance } from "./Maintenance.tsx";
import { Compare } from "./Compare.tsx";
import { Damage } from "./Damage.tsx";
import { Forget } from "./Forget.tsx";
import { Limit } from "./Limit.tsx";
import classes from "./storage.module.css";
import { Place } from "./Place.tsx";
import { UnderWay } from "./UnderWay.tsx";

/** The cache of the open connection: what it holds, where it lies, and how to look after it. */
export function Storage() {
  const statistics = useCacheStatistics();
  const connectionId = useConnection((s) => s.current?.info.id ?? "");
  const isFile = useConnection((s) => s.current?.info.kind === "file");

  return (
    <Room title="Storage">
      <Damage key={`damage-${connectionId}`} connectionId={connectionId} />
      <Aside key={`aside-${connectionId}`} connectionId={connectionId} />
      <RoomSection title="What is kept">
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
      </RoomSection>
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
      <Orphans isInRoom />
    </Room>
  );
}
