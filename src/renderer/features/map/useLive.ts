import { useEffect, useRef, useState } from "react";
import type { AppFault } from "#shared/fault.ts";
import type { NearestAnswer } from "#shared/service/nearest.ts";
import { floorToInterval } from "#shared/time/interval.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { many } from "../../ui/text.ts";
import { askService, SERVICE_REQUESTS } from "./askService.ts";
import { joinedFrame, serviceFrame } from "./frames.ts";
import { useMapState } from "./mapState.ts";
import type { Snapshot } from "./useSnapshot.ts";

export interface Live {
  readonly isLive: boolean;
  readonly isAsking: boolean;
  readonly fault: AppFault | null;
  readonly momentMs: UtcMs | null;
  /** "2 requests, 64 stations" */
  readonly cost: string;
  /** Shows the newest values of all stations instead of the cache. */
  ask(): Promise<void>;
  /** Shows values at the moment of the slider of these stations, beside the cache. */
  askMoment(stationIds: readonly string[]): Promise<void>;
  leave(): void;
}

/** Values straight from the service, newest or of the moment, in two requests; nothing of them is kept. */
export function useLive(snapshot: Snapshot, withinSeconds: number, stations: number): Live {
  const live = useMapState((s) => s.live);
  const [asking, setAsking] = useState<"newest" | "moment" | null>(null);
  const [fault, setFault] = useState<AppFault | null>(null);
  const control = useRef<AbortController | null>(null);
  const { query, of, momentMs, withinMs } = snapshot;
  const { connectionId, mode } = query;
  const drop = (): void => {
    control.current?.abort();
    setAsking(null);
    setFault(null);
  };
  useEffect(
    () => () => {
      control.current?.abort();
      useMapState.setState({ live: null, isPlaying: false });
    },
    [connectionId],
  );
  // An answer about another moment than the one in sight, and why it did not come, are of no use.
  useEffect(() => {
    if (asking !== "newest") drop();
    // oxlint-disable-next-line react/exhaustive-deps -- only another moment drops it: to begin to ask must not
  }, [of]);

  const question = async (
    what: "newest" | "moment",
    timeMs: UtcMs | null,
    seconds: number,
  ): Promise<readonly NearestAnswer[] | null> => {
    control.current?.abort();
    const mine = new AbortController();
    control.current = mine;
    setAsking(what);
    setFault(null);
    useMapState.setState({ isPlaying: false });
    const answer = await askService({ connectionId, timeMs, withinSeconds: seconds, raw: mode.raw }, mine);
    if (mine.signal.aborted) return null;
    setAsking(null);
    if (answer.ok) return answer.value;
    if (answer.error.kind !== "cancelled") setFault(answer.error);
    return null;
  };
  return {
    isLive: live !== null || asking === "newest",
    isAsking: asking !== null,
    fault,
    momentMs: live?.momentMs ?? null,
    cost: `${many(SERVICE_REQUESTS, "request")}, ${many(stations, "station")}`,
    async ask() {
      const answers = await question("newest", null, withinSeconds);
      if (!answers) return;
      const toldMs = answers[0]?.serverTimeMs ?? answers[0]?.timeMs ?? Date.now();
      useMapState.setState({ live: serviceFrame(floorToInterval(toldMs, 1), answers) });
    },
    async askMoment(stationIds) {
      const asked = new Set(stationIds);
      const answers = await question("moment", momentMs, withinMs / 1_000);
      if (!answers) return;
      const fresh = serviceFrame(momentMs, answers, asked);
      const { told } = useMapState.getState();
      const before = told?.of === of ? told : null;
      useMapState.setState({
        told: {
          of,
          frame: before ? joinedFrame(fresh, before.frame) : fresh,
          askedIds: new Set([...asked, ...(before?.askedIds ?? [])]),
        },
      });
    },
    leave() {
      drop();
      useMapState.setState({ live: null });
    },
  };
}
