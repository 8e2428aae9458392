import type { Bridge } from "#shared/bridge/contract.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import type { MapStage } from "../../map/stage.ts";
import type { AnimationSource } from "../figure/animation.ts";
import { readFrames } from "./frames.ts";
import { fileStamp, mapFigure } from "./save.ts";
import type { ColouredView } from "./useColoured.ts";
import type { Snapshot } from "./useSnapshot.ts";

/** Moments per request. */
const BATCH_SIZE = 16;

/** Returns an animation of the map over the time range, with the current view and one colour scale for all moments. */
export function mapAnimation(
  bridge: Pick<Bridge, "snapshot">,
  stage: MapStage,
  coloured: ColouredView,
  { query, firstMs, lastMs, stepMs }: Snapshot,
  variable: Variable,
): AnimationSource {
  return {
    fileName: `zenith-map-${fileStamp(firstMs)}-${fileStamp(lastMs)}`,
    firstMs,
    lastMs,
    stepMs,
    async *figures(momentsMs: readonly UtcMs[], signal: AbortSignal) {
      for (let at = 0; at < momentsMs.length; at += BATCH_SIZE) {
        const request = { ...query, variables: [variable], momentsMs: momentsMs.slice(at, at + BATCH_SIZE) };
        const answer = await bridge.snapshot.read(request, { signal });
        if (!answer.ok) throw new Error(answer.error.message);
        for (const frame of readFrames(answer.value))
          yield mapFigure(stage, (theme) => coloured.at(frame, theme), frame);
      }
    },
  };
}
