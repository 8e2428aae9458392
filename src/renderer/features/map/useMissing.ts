import { useMemo } from "react";
import type { Absence, GapCause } from "#shared/series/gap.ts";
import type { AppFault } from "#shared/fault.ts";
import { type Result, success } from "#shared/service/error.ts";
import type { KnownStation } from "#shared/service/catalogue.ts";
import type { Variable } from "#shared/service/variables.ts";
import { bridge } from "../../bridge/index.ts";
import { absencesOf } from "../../ask/questions.ts";
import { useAsk } from "../../ask/useAsk.ts";
import type { Frame } from "./frames.ts";
import { useMapState } from "./mapState.ts";
import type { Snapshot } from "./useSnapshot.ts";

const NONE: ReadonlyMap<string, Absence> = new Map();

export type MissingValues = ReturnType<typeof useMissing>;

/** Returns the stations without a value at the moment, and the causes, which are loaded unless the snapshot plays. */
export function useMissing(stations: readonly KnownStation[], snapshot: Snapshot, variable: Variable) {
  const { frame, cached, serviceValues, isLoading } = snapshot;
  const { connectionId, mode, withinMs } = snapshot.query;
  const { isPlaying, live } = useMapState();
  const missing = useWithout(stations, frame, variable);
  const uncached = useWithout(stations, cached, variable);
  const isStill = !isPlaying && !isLoading;
  const asked = { connectionId, variable, mode, withinMs };
  const causes = useCauses({
    ...asked,
    momentMs: cached?.momentMs ?? 0,
    stationIds: isStill ? idsOf(uncached) : [],
    isAnswered: false,
  });
  const requested = live ? missing : missing.filter((s) => serviceValues?.requestedIds.has(s.id));
  const serviceCauses = useCauses({
    ...asked,
    momentMs: frame?.momentMs ?? 0,
    stationIds: isStill ? idsOf(requested) : [],
    isAnswered: true,
  });
  return {
    /** Stations without any value. */
    stations: missing,
    /** Stations without a cached value: the same, and those with a value from the service. */
    uncached,
    /** Why the cache has no value, by station; empty while playing and until they are loaded. */
    causes,
    /** Why the service returned no value, for the stations that were requested. */
    serviceCauses,
  };
}

/** Finds why stations have no value at the moment of the snapshot; the service's answer takes precedence over the cache. */
export async function findCauses(
  { frame, cached, serviceValues, query }: Snapshot,
  stations: readonly KnownStation[],
  variable: Variable,
): Promise<Result<ReadonlyMap<string, Absence>, AppFault>> {
  const { connectionId, mode, withinMs } = query;
  const found = new Map<string, Absence>();
  for (const [source, isAnswered] of [
    [cached, false],
    [frame, true],
  ] as const) {
    const missing = stations.filter((s) => source?.read(s.id, variable) === null);
    const stationIds = idsOf(isAnswered ? missing.filter((s) => serviceValues?.requestedIds.has(s.id)) : missing);
    if (!source || stationIds.length === 0) continue;
    const input = { connectionId, variable, mode, withinMs, momentMs: source.momentMs, stationIds, isAnswered };
    const result = await bridge.snapshot.missing(input);
    if (!result.ok) return result;
    for (const [id, cause] of causesById(stationIds, result.value)) found.set(id, cause);
  }
  return success(found);
}

function causesById(stationIds: readonly string[], causes: readonly Absence[]): Map<string, Absence> {
  return new Map(stationIds.flatMap((id, i) => (causes[i] ? [[id, causes[i]] as const] : [])));
}

/** Loads why stations have no value: in the cache or, if `isAnswered`, in the answer of the service. */
function useCauses(input: Parameters<typeof bridge.snapshot.missing>[0]): ReadonlyMap<string, Absence> {
  const { value } = useAsk(absencesOf, input.stationIds.length > 0 ? input : null);
  const ids = input.stationIds.join(" ");
  return useMemo(() => (value === null ? NONE : causesById(ids.split(" "), value)), [ids, value]);
}

function idsOf(stations: readonly KnownStation[]): string[] {
  return stations.map((s) => s.id);
}

/** Returns why a station has no value; the service's answer takes precedence over the cache. */
export function absenceOf(
  { causes, serviceCauses }: Pick<MissingValues, "causes" | "serviceCauses">,
  stationId: string,
): Absence | undefined {
  return serviceCauses.get(stationId) ?? causes.get(stationId);
}

/** Causes that a request may change. */
const FETCHABLE_CAUSES: ReadonlySet<GapCause> = new Set(["notRequested", "failed", "mayStillArrive"]);

/** Returns the stations for which the service may have values that the cache lacks; none until the causes are loaded. */
export function fetchableIds({ uncached, causes }: MissingValues): string[] {
  const listed = uncached.filter((s) => !s.isWithdrawn);
  return listed.map((s) => s.id).filter((id) => FETCHABLE_CAUSES.has(causes.get(id)?.cause ?? "nothingSent"));
}

function useWithout(stations: readonly KnownStation[], frame: Frame | null, variable: Variable) {
  return useMemo(
    () => (frame ? stations.filter((s) => frame.read(s.id, variable) === null) : []),
    [stations, frame, variable],
  );
}
