import { allLines, type PanelModel } from "#shared/plot/panel.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { SECOND_MS } from "#shared/time/utc.ts";
import { SNAP_PX, snapToRow } from "./readout.ts";

/**
 * Returns the moment whose values are read at a position of the pointer: that of the nearest row, or the position, which is
 * no more precise than a pixel.
 */
export function readMoment(models: readonly PanelModel[], pointerMs: number, view: TimeRange): number {
  const pixelMs = (view.endMs - view.startMs) / Math.max(1, document.documentElement.clientWidth);
  const tracks = models.flatMap(allLines).flatMap(({ track, behind }) => [track ?? [], behind?.track ?? []].flat());
  const cursorMs = pixelMs > SECOND_MS ? Math.round(pointerMs / SECOND_MS) * SECOND_MS : pointerMs;
  return Math.round(snapToRow(tracks, cursorMs, pixelMs * SNAP_PX));
}
