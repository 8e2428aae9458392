import { z } from "zod";
import { variableSchema } from "#shared/service/query.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { resolveMovingRange } from "#shared/time/typed.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { movingRange } from "#shared/views/view.ts";

const range = z.object({ startMs: z.number(), endMs: z.number() }).refine((r) => r.endMs > r.startMs);

/**
 * What a window shows of one connection. Each field has its own fallback, so that a workspace written by an older or
 * newer version opens as far as possible.
 */
export const workspaceSchema = z.object({
  /** Selected stations in the order of selection, the same for all views. */
  stationIds: z.array(z.string()).catch([]).default([]),
  /** Index of each selected station's colour in the palette: a station keeps it while it is selected. */
  slots: z.record(z.string(), z.number().int().min(0)).catch({}).default({}),
  /** The same of stations selected earlier, so that they get their colours back. */
  colours: z.record(z.string(), z.number().int().min(0)).catch({}).default({}),
  range: range.nullable().catch(null).default(null),
  /** The range as the user entered it, if it moves with the clock. */
  moving: movingRange.nullable().catch(null).default(null),
  variables: z.array(variableSchema).min(1).catch(["ztd", "pwv"]).default(["ztd", "pwv"]),
  intervalSeconds: z.number().int().min(1).nullable().catch(null).default(null),
  raw: z.boolean().catch(false).default(false),
  /** Averages are computed locally from cached native rows instead of requested. */
  resampled: z.boolean().catch(false).default(false),
  showSigma: z.boolean().catch(true).default(true),
  room: z.enum(["explore", "schedules", "storage", "settings"]).catch("explore").default("explore"),
  view: z.string().catch("series").default("series"),
  isDrawerOpen: z.boolean().catch(false).default(false),
  /** Sizes of panes and options of single features, by name. */
  panes: z.record(z.string(), z.unknown()).catch({}).default({}),
});

export type Workspace = Omit<z.output<typeof workspaceSchema>, "range"> & { readonly range: TimeRange };

/** Range of a new workspace. */
const LAST_WEEK = { start: "now-7d", end: "now" };

/** Parses a stored workspace. @param text JSON, or null if nothing is stored */
export function readWorkspace(text: string | null, nowMs: UtcMs): Workspace {
  const read = workspaceSchema.parse(parseJson(text) ?? {});
  const moving = read.moving ?? (read.range === null ? LAST_WEEK : null);
  const range = (moving && resolveMovingRange(moving, nowMs)) ?? read.range;
  if (range === null) throw new Error("The range of a new workspace cannot be resolved.");
  return { ...read, range, moving };
}

/** Returns the fields of a stored option; none if it is not an object. */
export function fieldsOf(kept: unknown): Readonly<Record<string, unknown>> {
  return typeof kept === "object" && kept !== null ? { ...kept } : {};
}

function parseJson(text: string | null): unknown {
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
