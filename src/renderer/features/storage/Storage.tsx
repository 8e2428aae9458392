import { useConnection } from "../../stores/connection.ts";
import { Facts } from "../../ui/Facts.tsx";
import { Room, RoomSection } from "../../ui/Room.tsx";
import { bytes, count } from "../../ui/text.ts";
import { useCacheStatistics } from "../shell/useCacheStatistics.ts";
import { ByStation } from "./ByStation.tsx";
import { Care } from "./Care.tsx";
import { Compare } from "./Compare.tsx";
import { Forget } from "./Forget.tsx";
import { Limit } from "./Limit.tsx";
import { Place } from "./Place.tsx";

/** The cache of the open connection: what it holds, where it lies, and how to look after it. */
export function Storage() {
  const statistics = useCacheStatistics();
  const connectionId = useConnection((s) => s.current?.info.id ?? "");

  return (
    <Room title="Storage">
      <RoomSection title="What is kept">
        <Facts
          facts={[
            { label: "Size", value: statistics ? bytes(statistics.fileBytes) : "…" },
            { label: "Rows", value: statistics ? count(statistics.rows) : "…" },
            { label: "Stations", value: statistics ? count(statistics.stations) : "…" },
          ]}
        />
      </RoomSection>
      <ByStation key={`stations-${connectionId}`} connectionId={connectionId} />
      <Limit key={`limit-${connectionId}`} connectionId={connectionId} />
      <Compare key={`compare-${connectionId}`} connectionId={connectionId} />
      <Care key={`care-${connectionId}`} connectionId={connectionId} />
      <Place key={`place-${connectionId}`} connectionId={connectionId} path={statistics?.path ?? null} />
      <Forget key={`forget-${connectionId}`} connectionId={connectionId} />
    </Room>
  );
}
