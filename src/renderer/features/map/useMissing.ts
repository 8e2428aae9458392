import { useMemo } from "react";
import type { Absence, GapCause } from "#shared/series/gap.ts";
import type { AppFault } from "#shared/fault.ts";
import { type Result, success } from "#shared/service/error.ts";
import type { KnownStation } from "#shared/service/catalogue.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { bridge } from "../../bridge/index.ts";
import { useCacheQuery } from "../../stores/cacheQuery.ts";
import type { Frame, FramesQuery } from "./frames.ts";
import { useMapState } from "./mapState.ts";
import type { Snapshot } from "./useSnapshot.ts";

export interface Missing {
  /** Without any value. */
  readonly stations: readonly KnownStation[];
  /** Without a value in the cache: the same, and those of which the service told one. */
  readonly uncached: readonly KnownStation[];
  /** Why the cache has none, by station; empty while it plays and until it is known. */
  readonly causes: ReadonlyMap<string, Absence>;
  /** Why the service told none of those that it was asked about. */
  readonly toldCauses: ReadonlyMap<string, Absence>;
}

const NONE: ReadonlyMap<string, Absence> = new Map();

/** The stations without a value at the moment, and why; the reasons are looked up while nothing plays. */
export function useMissing(stations: readonly KnownStation[], snapshot: Snapshot, variable: Variable): Missing {
  const { frame, cached, told, query, isLoading } = snapshot;
  const { isPlaying, live } = useMapState();
  const missing = useWithout(stations, frame, variable);
  const uncached = useWithout(stations, cached, variable);
  const isStill = !isPlaying && !isLoading;
  const causes = useCauses(query, variable, cached?.momentMs ?? 0, isStill ? idsOf(uncached) : [], false);
  const asked = live ? missing : missing.filter((s) => told?.askedIds.has(s.id));
  const toldCauses = useCauses(query, variable, frame?.momentMs ?? 0, isStill ? idsOf(asked) : [], true);
  return { stations: missing, uncached, causes, toldCauses };
}

/** Why stations have no value of a variable at the moment of the snapshot; the service's answer counts for more than the cache. */
export async function findCauses(
  { frame, cached, told, query }: Snapshot,
  stations: readonly KnownStation[],
  variable: Variable,
): Promise<Result<ReadonlyMap<string, Absence>, AppFault>> {
  const { connectionId, mode, withinMs } = query;
  const found = new Map<string, Absence>();
  for (const [of, isAnswered] of [
    [cached, false],
    [frame, true],
  ] as const) {
    const lacking = stations.filter((s) => of?.read(s.id, variable) === null);
    const stationIds = idsOf(isAnswered ? lacking.filter((s) => told?.askedIds.has(s.id)) : lacking);
    if (!of || stationIds.length === 0) continue;
    const asked = { connectionId, variable, mode, withinMs, momentMs: of.momentMs, stationIds, isAnswered };
    const result = await bridge.snapshot.missing(asked);
    if (!result.ok) return result;
    stationIds.forEach((id, i) => {
      const cause = result.value[i];
      if (cause) found.set(id, cause);
    });
  }
  return success(found);
}

/** Why stations have no value: in the cache, or in what the service answered. */
function useCauses(
  { connectionId, mode, withinMs }: FramesQuery,
  variable: Variable,
  momentMs: UtcMs,
  stationIds: readonly string[],
  isAnswered: boolean,
): ReadonlyMap<string, Absence> {
  const asked = { connectionId, variable, mode, withinMs, momentMs, stationIds, isAnswered };
  const answer = useCacheQuery(connectionId, stationIds.length > 0 ? JSON.stringify(asked) : null, async (signal) => {
    const result = await bridge.snapshot.missing(asked, { signal });
    return result.ok ? { ok: true, value: new Map(stationIds.map((id, i) => [id, result.value[i]!])) } : result;
  });
  return answer ?? NONE;
}

function idsOf(stations: readonly KnownStation[]): string[] {
  return stations.map((s) => s.id);
}

/** Why a station has no value: the service's answer counts for more than the cache. */
export function absenceOf({ causes, toldCauses }: Missing, { id }: KnownStation): Absence | undefined {
  return toldCauses.get(id) ?? causes.get(id);
}

/** Causes that asking can change. */
const WORTH_ASKING: ReadonlySet<GapCause> = new Set(["notAsked", "failed", "notFinal"]);

/** Stations of which the service may have a value that the cache lacks; none until the causes are known. */
export function worthAsking({ uncached, causes }: Missing): string[] {
  const listed = uncached.filter((s) => !s.isWithdrawn);
  return listed.map((s) => s.id).filter((id) => WORTH_ASKING.has(causes.get(id)?.cause ?? "nothingSent"));
}

function useWithout(stations: readonly KnownStation[], frame: Frame | null, variable: Variable) {
  return useMemo(
    () => (frame ? stations.filter((s) => frame.read(s.id, variable) === null) : []),
    [stations, frame, variable],
  );
}
