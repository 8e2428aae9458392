import { z } from "zod";
import { intervalSeconds, moment, range, zone } from "../bridge/methods/schemas.ts";
import { variableSchema } from "../service/query.ts";

// Views may come from untrusted files, so that everything in them has a limit.

const MAX_STATIONS = 10_000;
const MAX_PANES = 200;
/** Length of the JSON of all panes of a view. */
const MAX_PANE_CHARACTERS = 100_000;

const stationIds = z.array(z.string().min(1).max(200)).max(MAX_STATIONS).readonly();

/** An object with a limited number of keys, checked before its entries, because validating a million would take seconds. */
function limitedObject(maxKeys: number) {
  return z.custom<Record<string, unknown>>(
    (all) => typeof all === "object" && all !== null && Object.keys(all).length <= maxKeys,
  );
}

const panes = limitedObject(MAX_PANES)
  .pipe(z.record(z.string().min(1).max(100), z.unknown()))
  .refine((all) => JSON.stringify(all).length <= MAX_PANE_CHARACTERS, { message: "the panes hold too much" });

/** A range that moves with the clock: both ends as typed. */
export const movingRange = z.object({ start: z.string().max(100), end: z.string().max(100) });

/** The part of a window's state that a view stores: without the open page (map, schedules, …) and sizes of the screen. */
export const viewWorkspace = z.object({
  stationIds,
  slots: limitedObject(MAX_STATIONS).pipe(
    z.record(z.string().min(1).max(200), z.number().int().min(0).max(MAX_STATIONS)),
  ),
  range,
  /** Absent in views of versions without moving ranges. */
  moving: movingRange.nullable().default(null),
  variables: z.array(variableSchema).min(1).max(7).readonly(),
  intervalSeconds,
  raw: z.boolean(),
  resampled: z.boolean(),
  zone,
  showSigma: z.boolean(),
  view: z.string().min(1).max(50),
  panes,
});
export type ViewWorkspace = z.output<typeof viewWorkspace>;

export const viewName = z.string().trim().min(1, "a view needs a name").max(100);

export const savedView = z.object({
  name: viewName,
  /** The connection in which it was saved; null if it came from a file. */
  connectionId: z.string().min(1).max(100).nullable(),
  savedAtMs: moment,
  workspace: viewWorkspace,
});

/** A named state of a window. */
export type SavedView = z.output<typeof savedView>;

/** Returns a name that is not taken: "Storm", "Storm (2)". @param most maximum length */
export function freeName(name: string, taken: ReadonlySet<string>, most = 100): string {
  const whole = name.slice(0, most);
  if (!taken.has(whole)) return whole;
  for (let n = 2; ; n++) {
    const end = ` (${n})`;
    const next = name.slice(0, most - end.length) + end;
    if (!taken.has(next)) return next;
  }
}
