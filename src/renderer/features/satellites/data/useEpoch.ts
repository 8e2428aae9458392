import { shownMoment, useMoment } from "./moment.ts";
import type { Shown } from "../shown.ts";
import { epochAt } from "./sky.ts";

/** The epoch that stands at the chosen moment; -1: none. */
export function useEpoch({ sky, range }: Pick<Shown, "sky" | "range">): number {
  return useMoment((s) => epochAt(sky, shownMoment(s.momentMs, sky, range)));
}
