import { useMemo } from "react";
import type { GapCause } from "#shared/series/gap.ts";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import type { Variable } from "#shared/service/variables.ts";
import { bridge } from "../../bridge/index.ts";
import { useCached } from "../../stores/cached.ts";
import { useMapState } from "./mapState.ts";
import type { Snapshot } from "./useSnapshot.ts";

export interface Missing {
  readonly stations: readonly CatalogueStation[];
  /** Why, by station; empty while it plays and until it is known. */
  readonly causes: ReadonlyMap<string, GapCause>;
}

const NONE: ReadonlyMap<string, GapCause> = new Map();

/** The stations without a value at the moment, and why; the reasons are looked up while nothing plays. */
export function useMissing(stations: readonly CatalogueStation[], snapshot: Snapshot, variable: Variable): Missing {
  const { frame, query, isLoading } = snapshot;
  const { isPlaying, live } = useMapState();
  const missing = useMemo(
    () => (frame ? stations.filter((s) => frame.read(s.id, variable) === null) : []),
    [stations, frame, variable],
  );
  const { connectionId, mode, withinMs } = query;
  const ids = missing.map((s) => s.id);
  const isAsked = frame !== null && !isPlaying && !isLoading && live === null && ids.length > 0;
  const asked = { connectionId, variable, mode, withinMs, momentMs: frame?.momentMs ?? 0, stationIds: ids };
  const answer = useCached(connectionId, isAsked ? JSON.stringify(asked) : null, async (signal) => {
    const result = await bridge.snapshot.missing(asked, { signal });
    return result.ok ? { ok: true, value: new Map(asked.stationIds.map((id, i) => [id, result.value[i]!])) } : result;
  });
  return { stations: missing, causes: answer ?? NONE };
}
