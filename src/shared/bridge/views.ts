import { z } from "zod";
import { type SavedView, savedView, viewName } from "../views/view.ts";
import { method } from "./method.ts";

/** Views that the user gave a name. Each change is told by `viewsChanged`. */
export const views = {
  /** By name; what this version cannot read is left out, and kept. Faults: disk. */
  list: method<SavedView[]>()(z.object({})),
  /** Saves views; answers those of the same names that were replaced. Faults: usage (too many), disk. */
  save: method<SavedView[]>()(z.object({ views: z.array(savedView).min(1).max(500).readonly() })),
  /** Faults: usage (no such view, or the name is taken), disk. */
  rename: method<null>()(z.object({ name: viewName, to: viewName })),
  delete: method<null>()(z.object({ name: viewName })),
};
