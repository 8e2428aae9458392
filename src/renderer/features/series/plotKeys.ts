import type { CatalogueStation } from "#shared/service/catalogue.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { panBy } from "../../plot/view.ts";

const STEP = 0.1;
const LARGE_STEP = 0.5;

interface Keys {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/**
 * What a key does to the view, null where nothing. Arrows move by a tenth of it, with Shift by half; Home and End show
 * the first and the newest data of the stations. Plus and minus are commands of the whole window.
 */
export function plotKeys(
  { key, shiftKey, ctrlKey, metaKey, altKey }: Keys,
  stations: readonly (CatalogueStation | undefined)[],
): ((view: TimeRange) => TimeRange) | null {
  if (ctrlKey || metaKey || altKey) return null;
  const share = shiftKey ? LARGE_STEP : STEP;
  if (key === "ArrowLeft") return (view) => panBy(view, -span(view) * share);
  if (key === "ArrowRight") return (view) => panBy(view, span(view) * share);
  if (key === "Home") {
    const firstMs = Math.min(...stations.flatMap((s) => s?.historicDataFromMs ?? []));
    return Number.isFinite(firstMs) ? (view) => panBy(view, firstMs - view.startMs) : null;
  }
  if (key === "End") {
    const lastMs = Math.max(...stations.flatMap((s) => s?.dataLastUpdatedMs ?? []));
    return Number.isFinite(lastMs) ? (view) => panBy(view, lastMs - view.endMs) : null;
  }
  return null;
}

function span(view: TimeRange): number {
  return view.endMs - view.startMs;
}
