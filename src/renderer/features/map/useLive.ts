import { useEffect, useRef, useState } from "react";
import type { AppFault } from "#shared/fault.ts";
import { type Result, success } from "#shared/service/error.ts";
import { LIMITS, type NearestAnswer } from "#shared/service/query.ts";
import { ownIntervalMs, SCALAR_VARIABLES, type Variable } from "#shared/service/variables.ts";
import { floorToInterval } from "#shared/time/range.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { bridge } from "../../bridge/index.ts";
import { many } from "../../ui/text.ts";
import { mergeFrames, serviceFrame } from "./frames.ts";
import { useMapState } from "./mapState.ts";
import type { Snapshot } from "./useSnapshot.ts";

/** Variables with the same interval. PWV is less frequent than ZTD, so the row nearest to a moment would mostly lack it. */
const VARIABLE_GROUPS: readonly (readonly Variable[])[] = [...Map.groupBy(SCALAR_VARIABLES, ownIntervalMs).values()];
export const SERVICE_REQUESTS = VARIABLE_GROUPS.length;

interface ServiceRequest {
  readonly connectionId: string;
  /** null: the latest values. */
  readonly timeMs: UtcMs | null;
  readonly withinSeconds: number;
  readonly raw: boolean;
}

/**
 * Requests the nearest values of all stations from the service, without caching them. Always of all stations, because a
 * long list does not fit into a URL, and the service rejects a list that contains a station the key may not access.
 */
async function requestServiceValues(
  { withinSeconds, ...request }: ServiceRequest,
  control: AbortController,
): Promise<Result<NearestAnswer[], AppFault>> {
  const { min, max } = LIMITS.withinSeconds;
  const within = Math.min(max, Math.max(min, Math.ceil(withinSeconds)));
  const answers: NearestAnswer[] = [];
  for (const variables of VARIABLE_GROUPS) {
    const answer = await bridge.nearest.query(
      { ...request, stationIds: "all", withinSeconds: within, variables },
      control,
    );
    if (!answer.ok) return answer;
    answers.push(answer.value);
  }
  return success(answers);
}

export type Live = ReturnType<typeof useLive>;

type What = "latest" | "moment";

/** One request to the service at a time, with its fault and the remarks of its response. */
function useRequest({ query: { connectionId, mode } }: Snapshot) {
  const [requesting, setRequesting] = useState<What | null>(null);
  const [fault, setFault] = useState<AppFault | null>(null);
  const [remarks, setRemarks] = useState<readonly string[]>([]);
  const control = useRef<AbortController | null>(null);
  useEffect(
    () => () => {
      control.current?.abort();
      useMapState.setState({ live: null, isPlaying: false });
    },
    [connectionId],
  );
  const start = (what: What | null): void => {
    control.current?.abort();
    setRequesting(what);
    setFault(null);
    setRemarks([]);
  };
  return {
    requesting,
    fault,
    /** Contradictions of the last response, as sentences. */
    remarks,
    cancel: () => start(null),
    async request(what: What, timeMs: UtcMs | null, withinSeconds: number): Promise<readonly NearestAnswer[] | null> {
      start(what);
      const own = new AbortController();
      control.current = own;
      useMapState.setState({ isPlaying: false });
      const answer = await requestServiceValues({ connectionId, timeMs, withinSeconds, raw: mode.raw }, own);
      if (own.signal.aborted) return null;
      setRequesting(null);
      if (answer.ok) {
        setRemarks([...new Set(answer.value.flatMap((part) => part.remarks))]);
        return answer.value;
      }
      if (answer.error.kind !== "cancelled") setFault(answer.error);
      return null;
    },
  };
}

/** Values from the service, the latest or of a moment, in two requests; they are not cached. */
export function useLive(snapshot: Snapshot, withinSeconds: number, stations: number) {
  const live = useMapState((s) => s.live);
  const { requesting, fault, remarks, cancel, request } = useRequest(snapshot);
  const { key, momentMs, withinMs } = snapshot;
  // An answer or fault for a moment that is no longer shown is useless.
  useEffect(() => {
    if (requesting !== "latest") cancel();
    // oxlint-disable-next-line react/exhaustive-deps -- only another moment cancels a request, not the start of one
  }, [key]);
  return {
    isLive: live !== null || requesting === "latest",
    isRequesting: requesting !== null,
    fault,
    remarks,
    momentMs: live?.momentMs ?? null,
    /** "2 requests, 64 stations" */
    cost: `${many(SERVICE_REQUESTS, "request")}, ${many(stations, "station")}`,
    /** Shows the latest values of all stations instead of the cache. */
    async requestLatest(): Promise<void> {
      const answers = await request("latest", null, withinSeconds);
      if (!answers) return;
      const serverMs = answers[0]?.serverTimeMs ?? answers[0]?.timeMs ?? Date.now();
      useMapState.setState({ live: serviceFrame(floorToInterval(serverMs, 1), answers) });
    },
    /** Shows values of these stations at the moment of the slider, in addition to the cache. */
    async requestMoment(stationIds: readonly string[]): Promise<void> {
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
    leave(): void {
      cancel();
      useMapState.setState({ live: null });
    },
  };
}
