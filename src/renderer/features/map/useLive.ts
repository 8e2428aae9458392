import { useEffect, useRef, useState } from "react";
import type { AppFault } from "#shared/fault.ts";
import { LIMITS } from "#shared/service/limits.ts";
import type { NearestAnswer } from "#shared/service/nearest.ts";
import type { Variable } from "#shared/service/variables.ts";
import { floorToInterval } from "#shared/time/interval.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { bridge } from "../../bridge/index.ts";
import { many } from "../../ui/text.ts";
import { liveFrame } from "./frames.ts";
import { useMapState } from "./mapState.ts";
import type { Snapshot } from "./useSnapshot.ts";

/** PWV comes less often than ZTD: the row nearest to the moment would mostly lack it. */
const TOGETHER: readonly (readonly Variable[])[] = [["ztd", "ztd_sigma"], ["pwv"]];
export const LIVE_REQUESTS = TOGETHER.length;

export interface Live {
  readonly isLive: boolean;
  readonly isAsking: boolean;
  readonly fault: AppFault | null;
  readonly momentMs: UtcMs | null;
  /** "2 requests, 64 stations" */
  readonly cost: string;
  ask(): Promise<void>;
  leave(): void;
}

/** The newest values straight from the service, in two requests; nothing of them is kept. */
export function useLive(snapshot: Snapshot, withinSeconds: number, stations: number): Live {
  const live = useMapState((s) => s.live);
  const [isAsking, setAsking] = useState(false);
  const [fault, setFault] = useState<AppFault | null>(null);
  const control = useRef<AbortController | null>(null);
  const { connectionId, mode } = snapshot.query;
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
    const asked = { connectionId, stationIds: "all" as const, timeMs: null, withinSeconds: within, raw: mode.raw };
    const answers: NearestAnswer[] = [];
    for (const variables of TOGETHER) {
      const answer = await bridge.nearest.query({ ...asked, variables }, mine);
      if (mine.signal.aborted) return;
      if (!answer.ok) {
        setAsking(false);
        if (answer.error.kind !== "cancelled") setFault(answer.error);
        return;
      }
      answers.push(answer.value);
    }
    setAsking(false);
    const toldMs = answers[0]?.serverTimeMs ?? answers[0]?.timeMs ?? Date.now();
    useMapState.setState({ live: liveFrame(floorToInterval(toldMs, 1), answers) });
  };
  return {
    isLive: live !== null || isAsking,
    isAsking,
    fault,
    momentMs: live?.momentMs ?? null,
    cost: `${many(LIVE_REQUESTS, "request")}, ${many(stations, "station")}`,
    ask,
    leave,
  };
}
