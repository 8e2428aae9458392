import { useConnection } from "../../stores/connection.ts";
import { Facts } from "../../ui/Facts.tsx";
import { Room, RoomSection } from "../../ui/Room.tsx";
import { bytes, count } from "../../ui/text.ts";

import { useCacheStatistics } from "../shell/useCacheStatistics.ts";
import { Care } from "./Care.tsx";
import { Forget } from "./Forget.tsx";

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
            { label: "File", value: statistics?.path ?? "…" },
          ]}
        />
      </RoomSection>
      <Care key={`care-${connectionId}`} connectionId={connectionId} />
      <Forget key={`forget-${connectionId}`} connectionId={connectionId} />
    </Room>
  );
}
