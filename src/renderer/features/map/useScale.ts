import { useEffect, useMemo, useState } from "react";
import { isScalar } from "#shared/service/variables.ts";
import { bridge } from "../../bridge/index.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import type { ColourBy } from "./colouring.ts";
import { readFrames } from "./frames.ts";
import { type MapOptions, useMapState } from "./mapState.ts";
import { endsOf, type Quantity, readLook, REDUCED, type ScaleLook, valuesOf } from "./scale.ts";
import type { Snapshot } from "./useSnapshot.ts";

export interface MapScale {
  /** null if the colours are not a scale of values. */
  readonly quantity: Quantity | null;
  readonly look: ScaleLook | null;
  /** Ends determined from the values, used unless the user sets them; null until they are known. */
  readonly automatic: readonly [number, number] | null;
  readonly fixed: readonly [number, number] | null;
}

/** Moments of the range that are sampled for the scale. */
const SAMPLED_MOMENTS = 12;

/**
 * Returns the colour scale of the map, determined from the whole time range, so that it does not change while playing; in
 * live mode, from the latest values of all stations.
 */
export function useScale(by: ColourBy, options: MapOptions, snapshot: Snapshot): MapScale {
  const quantity = isScalar(by) || by === REDUCED ? by : null;
  const stations = useCatalogue((s) => s.known);
  const stationIds = useWorkspace((s) => s.stationIds);
  const { live } = useMapState();
  const [sampled, setSampled] = useState<{ readonly key: string; readonly ends: MapScale["automatic"] } | null>(null);
  const { query, firstMs, lastMs, stepMs } = snapshot;
  const key = JSON.stringify([query, quantity, firstMs, lastMs, stationIds]);
  useEffect(() => {
    if (quantity === null) return;
    const steps = Math.floor((lastMs - firstMs) / stepMs);
    const momentsMs = Array.from(
      { length: SAMPLED_MOMENTS },
      (_, i) => firstMs + stepMs * Math.round((steps * i) / (SAMPLED_MOMENTS - 1)),
    );
    const control = new AbortController();
    const sample = async (): Promise<void> => {
      const answer = await bridge.snapshot.read({ ...query, momentsMs: [...new Set(momentsMs)] }, control);
      if (!answer.ok || control.signal.aborted) return;
      const selected = new Set(stationIds);
      const isSampled = stations.map((s) => selected.size === 0 || selected.has(s.id));
      const values = readFrames(answer.value).flatMap((frame) =>
        [...valuesOf(quantity, stations, frame)].filter((_, i) => isSampled[i]),
      );
      setSampled({ key, ends: endsOf(quantity, values) });
    };
    void sample();
    return () => control.abort();
    // oxlint-disable-next-line react/exhaustive-deps -- `key` contains all other inputs
  }, [key, stations]);
  const liveEnds = useMemo(
    () => (quantity === null || live === null ? null : endsOf(quantity, [...valuesOf(quantity, stations, live)])),
    [quantity, stations, live],
  );
  const kept = quantity === null ? null : options.scales[quantity];
  return useMemo(() => {
    const look = quantity === null ? null : readLook(kept, quantity);
    const automatic = live ? liveEnds : sampled?.key === key ? sampled.ends : null;
    const [low, high] = [look?.low ?? automatic?.[0], look?.high ?? automatic?.[1]];
    const fixed = low !== undefined && high !== undefined && high > low ? ([low, high] as const) : null;
    return { quantity, look, automatic, fixed };
  }, [quantity, kept, live, liveEnds, sampled, key]);
}
