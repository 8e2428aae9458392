import { useEffect, useRef, useState } from "react";
import type { AppFault } from "#shared/fault.ts";
import type { NearestAnswer } from "#shared/service/nearest.ts";
import { floorToInterval } from "#shared/time/interval.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { many } from "../../ui/text.ts";
import { requestServiceValues, SERVICE_REQUESTS } from "./serviceValues.ts";
import { mergeFrames, serviceFrame } from "./frames.ts";
import { useMapState } from "./mapState.ts";
import type { Snapshot } from "./useSnapshot.ts";

export interface Live {
  readonly isLive: boolean;
  readonly isRequesting: boolean;
  readonly fault: AppFault | null;
  /** Contradictions of the last response, as sentences. */
  readonly remarks: readonly string[];
  readonly momentMs: UtcMs | null;
  /** "2 requests, 64 stations" */
  readonly cost: string;
  /** Shows the latest values of all stations instead of the cache. */
  requestLatest(): Promise<void>;
  /** Shows values of these stations at the moment of the slider, in addition to the cache. */
  requestMoment(stationIds: readonly string[]): Promise<void>;
  leave(): void;
}

/** Values from the service, the latest or of a moment, in two requests; they are not cached. */
export function useLive(snapshot: Snapshot, withinSeconds: number, stations: number): Live {
  const live = useMapState((s) => s.live);
  const [requesting, setRequesting] = useState<"latest" | "moment" | null>(null);
  const [fault, setFault] = useState<AppFault | null>(null);
  const [remarks, setRemarks] = useState<readonly string[]>([]);
  const control = useRef<AbortController | null>(null);
  const { query, key, momentMs, withinMs } = snapshot;
  const { connectionId, mode } = query;
  const cancel = (): void => {
    control.current?.abort();
    setRequesting(null);
    setFault(null);
    setRemarks([]);
  };
  useEffect(
    () => () => {
      control.current?.abort();
      useMapState.setState({ live: null, isPlaying: false });
    },
    [connectionId],
  );
  // An answer or fault for a moment that is no longer shown is useless.
  useEffect(() => {
    if (requesting !== "latest") cancel();
    // oxlint-disable-next-line react/exhaustive-deps -- only another moment cancels a request, not the start of one
  }, [key]);

  const request = async (
    what: "latest" | "moment",
    timeMs: UtcMs | null,
    seconds: number,
  ): Promise<readonly NearestAnswer[] | null> => {
    control.current?.abort();
    const own = new AbortController();
    control.current = own;
    setRequesting(what);
    setFault(null);
    setRemarks([]);
    useMapState.setState({ isPlaying: false });
    const answer = await requestServiceValues({ connectionId, timeMs, withinSeconds: seconds, raw: mode.raw }, own);
    if (own.signal.aborted) return null;
    setRequesting(null);
    if (answer.ok) {
      setRemarks([...new Set(answer.value.flatMap((part) => part.remarks))]);
      return answer.value;
    }
    if (answer.error.kind !== "cancelled") setFault(answer.error);
    return null;
  };
  return {
    isLive: live !== null || requesting === "latest",
    isRequesting: requesting !== null,
    fault,
    remarks,
    momentMs: live?.momentMs ?? null,
    cost: `${many(SERVICE_REQUESTS, "request")}, ${many(stations, "station")}`,
    async requestLatest() {
      const answers = await request("latest", null, withinSeconds);
      if (!answers) return;
      const serverMs = answers[0]?.serverTimeMs ?? answers[0]?.timeMs ?? Date.now();
      useMapState.setState({ live: serviceFrame(floorToInterval(serverMs, 1), answers) });
    },
    async requestMoment(stationIds) {
      const requested = new Set(stationIds);
      const answers = await request("moment", momentMs, withinMs / 1_000);
      if (!answers) return;
      const fresh = serviceFrame(momentMs, answers, requested);
      const { serviceValues } = useMapState.getState();
      const before = serviceValues?.key === key ? serviceValues : null;
      useMapState.setState({
        serviceValues: {
          key,
          frame: before ? mergeFrames(fresh, before.frame) : fresh,
          requestedIds: new Set([...requested, ...(before?.requestedIds ?? [])]),
        },
      });
    },
    leave() {
      cancel();
      useMapState.setState({ live: null });
    },
  };
}
