import { useEffect, useRef, useState } from "react";
import type { AppFault } from "#shared/fault.ts";
import { LIMITS } from "#shared/service/limits.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { bridge } from "../../bridge/index.ts";
import { many } from "../../ui/text.ts";
import { liveFrame } from "./frames.ts";
import { useMapState } from "./mapState.ts";
import type { Snapshot } from "./useSnapshot.ts";

export interface Live {
  readonly isLive: boolean;
  readonly isAsking: boolean;
  readonly fault: AppFault | null;
  readonly momentMs: UtcMs | null;
  /** "1 request, 64 stations" */
  readonly cost: string;
  ask(): Promise<void>;
  leave(): void;
}

/** The newest values straight from the service, in one request; nothing of them is kept. */
export function useLive(snapshot: Snapshot, withinSeconds: number, stations: number): Live {
  const live = useMapState((s) => s.live);
  const [isAsking, setAsking] = useState(false);
  const [fault, setFault] = useState<AppFault | null>(null);
  const control = useRef<AbortController | null>(null);
  const { connectionId, mode, variables } = snapshot.query;
  useEffect(
    () => () => {
      control.current?.abort();
      useMapState.setState({ live: null, isPlaying: false });
    },
    [connectionId],
  );
  const leave = (): void => {
    control.current?.abort();
    setAsking(false);
    setFault(null);
    useMapState.setState({ live: null });
  };
  const ask = async (): Promise<void> => {
    control.current?.abort();
    const mine = new AbortController();
    control.current = mine;
    setAsking(true);
    setFault(null);
    useMapState.setState({ isPlaying: false });
    const { min, max } = LIMITS.withinSeconds;
    const within = Math.min(max, Math.max(min, withinSeconds));
    const answer = await bridge.nearest.query(
      { connectionId, stationIds: "all", variables, timeMs: null, withinSeconds: within, raw: mode.raw },
      mine,
    );
    if (mine.signal.aborted) return;
    setAsking(false);
    if (answer.ok) useMapState.setState({ live: liveFrame(answer.value) });
    else if (answer.error.kind !== "cancelled") setFault(answer.error);
  };
  return {
    isLive: live !== null || isAsking,
    isAsking,
    fault,
    momentMs: live?.momentMs ?? null,
    cost: `1 request, ${many(stations, "station")}`,
    ask,
    leave,
  };
}
