import type { CatalogueStation } from "#shared/service/catalogue.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { panBy } from "../../plot/view.ts";

const PAGE = 0.5;

interface Keys {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/**
 * Returns how a key changes the view, or null. Page Up and Page Down move by half the view; Home and End show the first and
 * the newest data of the stations. Plus and minus are commands of the window; arrow keys move the cursor.
 */
export function plotKeys(
  { key, ctrlKey, metaKey, altKey }: Keys,
  stations: readonly (CatalogueStation | undefined)[],
): ((view: TimeRange) => TimeRange) | null {
  if (ctrlKey || metaKey || altKey) return null;
  if (key === "PageUp") return (view) => panBy(view, -span(view) * PAGE);
  if (key === "PageDown") return (view) => panBy(view, span(view) * PAGE);
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
