import { z } from "zod";
import { variableSchema } from "#shared/service/query.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { resolveMovingRange } from "#shared/time/typed.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { movingRange } from "#shared/views/view.ts";

const range = z.object({ startMs: z.number(), endMs: z.number() }).refine((r) => r.endMs > r.startMs);

/**
 * What a window shows of one connection. Every field falls back on its own, so that what an older or newer program
 * wrote opens as far as it is understood.
 */
export const workspaceSchema = z.object({
  /** Chosen stations in the order of choice: one selection for every view. */
  stationIds: z.array(z.string()).catch([]).default([]),
  /** Place of each chosen station in the palette: a station keeps its colour while it is chosen. */
  slots: z.record(z.string(), z.number().int().min(0)).catch({}).default({}),
  /** Places of stations that were chosen once, so that they get their colours back. */
  colours: z.record(z.string(), z.number().int().min(0)).catch({}).default({}),
  range: range.nullable().catch(null).default(null),
  /** What the range was chosen as, where it moves with the clock. */
  moving: movingRange.nullable().catch(null).default(null),
  variables: z.array(variableSchema).min(1).catch(["ztd", "pwv"]).default(["ztd", "pwv"]),
  intervalSeconds: z.number().int().min(1).nullable().catch(null).default(null),
  raw: z.boolean().catch(false).default(false),
  /** Averages are computed here from cached native rows instead of asked. */
  resampled: z.boolean().catch(false).default(false),
  showSigma: z.boolean().catch(true).default(true),
  room: z.enum(["explore", "schedules", "storage", "settings"]).catch("explore").default("explore"),
  view: z.string().catch("series").default("series"),
  isDrawerOpen: z.boolean().catch(false).default(false),
  /** Sizes of panes and choices of single features, by their own names. */
  panes: z.record(z.string(), z.unknown()).catch({}).default({}),
});

export type Workspace = Omit<z.output<typeof workspaceSchema>, "range"> & { readonly range: TimeRange };

/** What a first window shows. */
const LAST_WEEK = { start: "now-7d", end: "now" };

/** @param text JSON as it was kept, or null */
export function readWorkspace(text: string | null, nowMs: UtcMs): Workspace {
  const read = workspaceSchema.parse(parsed(text) ?? {});
  const moving = read.moving ?? (read.range === null ? LAST_WEEK : null);
  const range = (moving && resolveMovingRange(moving, nowMs)) ?? read.range;
  if (range === null) throw new Error("The range of a first window cannot be resolved.");
  return { ...read, range, moving };
}

function parsed(text: string | null): unknown {
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
