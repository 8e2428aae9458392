import { z } from "zod";
import { intervalSeconds, moment, range } from "../bridge/methods/words.ts";
import { variableSchema } from "../service/query.ts";

// What a view holds may come from a stranger: everything in it has a limit.

const MOST_STATIONS = 10_000;
const MOST_PANES = 200;
/** Of what all panes of a view hold, as JSON. */
const MOST_PANE_CHARACTERS = 100_000;

const stationIds = z.array(z.string().min(1).max(200)).max(MOST_STATIONS).readonly();

/** An object of so many names at most, looked at before each of them is: a million of them would take seconds. */
function few(most: number) {
  return z.custom<Record<string, unknown>>(
    (all) => typeof all === "object" && all !== null && Object.keys(all).length <= most,
  );
}

const panes = few(MOST_PANES)
  .pipe(z.record(z.string().min(1).max(100), z.unknown()))
  .refine((all) => JSON.stringify(all).length <= MOST_PANE_CHARACTERS, { message: "the panes hold too much" });

/** A range that moves with the clock: both ends as they were typed. */
export const movingRange = z.object({ start: z.string().max(100), end: z.string().max(100) });

/** What a window shows, as far as a view keeps it: not the room that is open, nor sizes of this screen. */
export const viewWorkspace = z.object({
  stationIds,
  slots: few(MOST_STATIONS).pipe(z.record(z.string().min(1).max(200), z.number().int().min(0).max(MOST_STATIONS))),
  range,
  /** Views of before ranges moved have none. */
  moving: movingRange.nullable().default(null),
  variables: z.array(variableSchema).min(1).max(7).readonly(),
  intervalSeconds,
  raw: z.boolean(),
  resampled: z.boolean(),
  showSigma: z.boolean(),
  view: z.string().min(1).max(50),
  panes,
});
export type ViewWorkspace = z.output<typeof viewWorkspace>;

export const viewName = z.string().trim().min(1, "a view needs a name").max(100);

export const savedView = z.object({
  name: viewName,
  /** The connection it was saved in; null where it came from someone else. */
  connectionId: z.string().min(1).max(100).nullable(),
  savedAtMs: moment,
  workspace: viewWorkspace,
});

/** What a window showed, under a name. */
export type SavedView = z.output<typeof savedView>;
