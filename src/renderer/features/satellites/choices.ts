import { useCallback, useRef } from "react";
import { z } from "zod";
import { usePane } from "../../stores/workspace.ts";
import { CONSTELLATIONS } from "./constellations.ts";

/** Maximum elevation cut-off. */
export const MAX_CUT_OFF_DEG = 40;

const choicesSchema = z.object({
  stationId: z.string().nullable().catch(null).default(null),
  /** Band whose C/N0 is shown; null: the first. */
  band: z.string().nullable().catch(null).default(null),
  /** Names of hidden constellations. */
  hidden: z.array(z.string()).catch([]).default([]),
  cutOffDeg: z.number().int().min(0).max(MAX_CUT_OFF_DEG).catch(0).default(0),
  trackHours: z.number().min(0).max(24).catch(2).default(2),
  layout: z.enum(["grid", "polar"]).catch("grid").default("grid"),
  by: z.enum(["constellation", "band"]).catch("constellation").default("constellation"),
  body: z.enum(["figures", "values"]).catch("figures").default("figures"),
});

/** Options of the view, saved with the workspace. */
export type Choices = z.output<typeof choicesSchema>;

export interface ChoicesHandle {
  readonly choices: Choices;
  /** Never changes its identity. */
  readonly change: (part: Partial<Choices>) => void;
}

export function useChoices(): ChoicesHandle {
  const [choices, keep] = usePane("satellites", readChoices);
  const latest = useRef({ choices, keep });
  latest.current = { choices, keep };
  const change = useCallback(
    (part: Partial<Choices>) => latest.current.keep({ ...latest.current.choices, ...part }),
    [],
  );
  return { choices, change };
}

function readChoices(kept: unknown): Choices {
  const read = choicesSchema.safeParse(kept ?? {});
  return read.success ? read.data : choicesSchema.parse({});
}

export function shownConstellations(hidden: readonly string[]): Uint8Array {
  return Uint8Array.from(CONSTELLATIONS, ({ name }) => (hidden.includes(name) ? 0 : 1));
}
