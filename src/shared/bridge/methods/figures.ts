import { z } from "zod";
import { VECTOR_FORMATS } from "#shared/file/figure.ts";
import { GAP_CAUSES } from "#shared/series/gap.ts";
import type { FileShape } from "#shared/plot/figure/scene.ts";
import { method } from "../method.ts";

const box = { x: z.number(), y: z.number(), width: z.number(), height: z.number() };
const colour = z.string().max(100);
const opacity = z.number().min(0).max(1);
const points = z.instanceof(Float64Array);

const shape: z.ZodType<FileShape, FileShape> = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("text"),
    x: z.number(),
    y: z.number(),
    text: z.string().max(10_000),
    size: z.number().positive(),
    weight: z.number(),
    anchor: z.enum(["start", "middle", "end"]),
    colour,
  }),
  z.object({ kind: z.literal("rect"), ...box, colour, opacity }),
  z.object({ kind: z.literal("hatch"), ...box, cause: z.enum(GAP_CAUSES), colour, opacity }),
  z.object({
    kind: z.literal("line"),
    points,
    colour,
    width: z.number(),
    dash: z.array(z.number()).max(10).readonly(),
  }),
  z.object({ kind: z.literal("area"), points, colour, opacity }),
  z.object({ kind: z.literal("bitmap"), ...box, png: z.instanceof(Uint8Array) }),
  z.object({
    kind: z.literal("clip"),
    ...box,
    get shapes() {
      return z.array(shape).readonly();
    },
  }),
]);

interface WrittenFigure {
  readonly file: Uint8Array<ArrayBuffer>;
  /** Texts with characters that the fonts of the file lack; the file shows boxes instead. */
  readonly boxedTexts: readonly string[];
}

/** Figures of a window as files with embedded fonts. Fault: usage. */
export const figures = {
  write: method<WrittenFigure>()(
    z.object({
      format: z.enum(VECTOR_FORMATS),
      widthMm: z.number().positive().max(10_000),
      scene: z.object({
        width: z.number().positive(),
        height: z.number().positive(),
        background: colour,
        fontFamily: z.string().max(1_000),
        title: z.string().max(10_000),
        shapes: z.array(shape).readonly(),
      }),
    }),
  ),
};
