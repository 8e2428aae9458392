import { useEffect, useMemo, useState } from "react";
import { isScalar } from "#shared/service/variables.ts";
import { bridge } from "../../bridge/index.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import type { ColourBy } from "./colouring.ts";
import { framesOf } from "./frames.ts";
import type { MapOptions } from "./options.ts";
import { endsOf, type Quantity, readLook, REDUCED, type ScaleLook, valuesOf } from "./scale.ts";
import type { Snapshot } from "./useSnapshot.ts";

export interface MapScale {
  /** null where the colours are no scale of values. */
  readonly quantity: Quantity | null;
  readonly look: ScaleLook | null;
  /** Ends over the whole time range, as far as the user gave none; null until they are known. */
  readonly automatic: readonly [number, number] | null;
  readonly fixed: readonly [number, number] | null;
}

/** Moments of the range whose values make the scale. */
const MOMENTS = 12;

/** The scale of the map's colours: it stays while time plays, because it is that of the whole range. */
export function useScale(by: ColourBy, options: MapOptions, snapshot: Snapshot): MapScale {
  const quantity = isScalar(by) || by === REDUCED ? by : null;
  const stations = useCatalogue((s) => s.known);
  const chosen = useWorkspace((s) => s.stationIds);
  const [sampled, setSampled] = useState<{ readonly of: string; readonly ends: MapScale["automatic"] } | null>(null);
  const { query, firstMs, lastMs, stepMs } = snapshot;
  const of = JSON.stringify([query, quantity, firstMs, lastMs, chosen]);
  useEffect(() => {
    if (quantity === null) return;
    const steps = Math.floor((lastMs - firstMs) / stepMs);
    const momentsMs = [
      ...new Set(Array.from({ length: MOMENTS }, (_, i) => firstMs + stepMs * Math.round((steps * i) / (MOMENTS - 1)))),
    ];
    const control = new AbortController();
    const sample = async (): Promise<void> => {
      const answer = await bridge.snapshot.read({ ...query, momentsMs }, control);
      if (!answer.ok || control.signal.aborted) return;
      const isChosen = new Set(chosen);
      const isWanted = stations.map((s) => chosen.length === 0 || isChosen.has(s.id));
      const values = framesOf(answer.value).flatMap((frame) =>
        [...valuesOf(quantity, stations, frame)].filter((_, i) => isWanted[i]),
      );
      setSampled({ of, ends: endsOf(quantity, values) });
    };
    void sample();
    return () => control.abort();
    // oxlint-disable-next-line react/exhaustive-deps -- `of` names the question
  }, [of, stations]);
  const kept = quantity === null ? null : options.scales[quantity];
  return useMemo(() => {
    const look = quantity === null ? null : readLook(kept, quantity);
    const automatic = sampled?.of === of ? sampled.ends : null;
    const [low, high] = [look?.low ?? automatic?.[0], look?.high ?? automatic?.[1]];
    const fixed = low !== undefined && high !== undefined && high > low ? ([low, high] as const) : null;
    return { quantity, look, automatic, fixed };
  }, [quantity, kept, sampled, of]);
}
