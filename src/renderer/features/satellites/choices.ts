import { NO_VALUE } from "#shared/text.ts";
import { z } from "zod";
import { fileDay } from "#shared/plot/figure/page.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { CONSTELLATIONS } from "./constellations.ts";
import type { Sky, SkyFilter } from "./data/sky.ts";
import { pane } from "../../stores/pane.ts";

export const MAX_CUT_OFF_DEG = 40;

const choicesSchema = z.object({
  stationId: z.string().nullable().catch(null),
  /** Band whose C/N0 is shown; null: the first. */
  band: z.string().nullable().catch(null),
  /** Names of hidden constellations. */
  hidden: z.array(z.string()).catch([]),
  cutOffDeg: z.number().int().min(0).max(MAX_CUT_OFF_DEG).catch(0),
  trackHours: z.number().min(0).max(24).catch(2),
  layout: z.enum(["grid", "polar"]).catch("grid"),
  by: z.enum(["constellation", "band"]).catch("constellation"),
  body: z.enum(["figures", "values"]).catch("figures"),
});

/** Options of the view, saved with the workspace. */
export type Choices = z.output<typeof choicesSchema>;

export const CHOICES = pane("satellites", choicesSchema);

export function shownConstellations(hidden: readonly string[]): Uint8Array {
  return Uint8Array.from(CONSTELLATIONS, ({ name }) => (hidden.includes(name) ? 0 : 1));
}

/** Data and options of all figures. */
export interface Shown {
  readonly sky: Sky;
  readonly range: TimeRange;
  readonly filter: SkyFilter;
  /** Index into `sky.bands`. */
  readonly band: number;
  readonly choices: Choices;
  readonly stationName: string;
}

export function bandName({ sky, band }: Pick<Shown, "sky" | "band">): string {
  return sky.bands[band]?.name ?? NO_VALUE;
}

/** Describes a saved figure: "Kallio · band 1 · elevation 10° and above · without GLONASS". */
export function shownWords(shown: Shown, time: string): string {
  const { sky, choices, stationName } = shown;
  const hidden = CONSTELLATIONS.filter(
    (c, kind) => choices.hidden.includes(c.name) && sky.constellation.includes(kind),
  );
  return [
    stationName,
    time,
    `band ${bandName(shown)}`,
    ...(choices.cutOffDeg > 0 ? [`elevation ${choices.cutOffDeg}° and above`] : []),
    ...(hidden.length > 0 ? [`without ${hidden.map((c) => c.name).join(", ")}`] : []),
  ].join(" · ");
}

/** Returns a file name with ASCII characters only: "zenith-sky-kallio-20261114". */
export function fileNameOf(figure: string, { stationName, range }: Shown): string {
  const station =
    stationName
      .normalize("NFKD")
      .replace(/[^A-Za-z0-9]+/g, "")
      .toLowerCase() || "station";
  return `zenith-${figure}-${station}-${fileDay(range.startMs)}-${fileDay(range.endMs)}`;
}
