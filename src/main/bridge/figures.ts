import { boxedTexts, FIGURE_FONT, figureFile } from "#formats/figure/index.ts";
import type { Handlers } from "#shared/bridge/method.ts";
import type { figures } from "#shared/bridge/methods/figures.ts";
import { sceneTexts } from "#shared/plot/figure/scene.ts";
import { success } from "#shared/service/error.ts";
import { PROGRAM } from "../program.ts";

export const figureHandlers: Handlers<typeof figures> = {
  async write({ scene, format, widthMm }) {
    const about = { widthMm, createdMs: Date.now(), program: PROGRAM };
    const file = await figureFile({ ...scene, fontFamily: FIGURE_FONT }, format, about);
    return success({ file, boxedTexts: boxedTexts(sceneTexts(scene.shapes), format) });
  },
};
