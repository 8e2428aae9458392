import type { StationSize } from "#shared/series/stationSize.ts";
import { bridge } from "../../bridge/index.ts";
import { useFollowed } from "../../stores/followed.ts";

/** What each station takes, followed while it grows; null before it is known. `again` asks now. */
export function useSizes(connectionId: string): {
  readonly sizes: readonly StationSize[] | null;
  readonly again: () => void;
} {
  const { value, again } = useFollowed<readonly StationSize[]>(connectionId, (of) =>
    bridge.cache.stations({ connectionId: of }),
  );
  return { sizes: value, again };
}
