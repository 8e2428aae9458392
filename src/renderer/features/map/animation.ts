import type { Bridge } from "#shared/bridge/contract.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import type { MapStage } from "../../map/stage.ts";
import type { AnimationSource } from "../figure/animation.ts";
import { framesOf } from "./frames.ts";
import { fileStamp, mapFigure } from "./save.ts";
import type { ColouredView } from "./useColoured.ts";
import type { Snapshot } from "./useSnapshot.ts";

/** Moments of one question. */
const TOGETHER = 16;

/** The map over the whole time range, as it looks now, with the values of each moment and the colours of all of them. */
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
      for (let at = 0; at < momentsMs.length; at += TOGETHER) {
        const asked = { ...query, variables: [variable], momentsMs: momentsMs.slice(at, at + TOGETHER) };
        const answer = await bridge.snapshot.read(asked, { signal });
        if (!answer.ok) throw new Error(answer.error.message);
        for (const frame of framesOf(answer.value)) yield mapFigure(stage, (theme) => coloured.at(frame, theme), frame);
      }
    },
  };
}
