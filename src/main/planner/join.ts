import { stationPoints } from "#shared/service/points.ts";
import { type Variable, VARIABLE_NAMES, withImpliedVariables } from "#shared/service/variables.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { ceilingPoints } from "./limits.ts";
import type { Group, PlanInput } from "./types.ts";

/** What a request costs besides its points, in points. */
const REQUEST_POINTS = 2_000;
/** Number of groups that another one may join: older ones are too far away, because they are in order of time. */
const MAX_OPEN = 8;

/**
 * Joins groups whose ranges overlap or touch into one, with a range, stations and variables that enclose them, if what is
 * requested in addition costs less than a request: stations lag behind by different times, and would need a request each.
 */
export function joinGroups(
  groups: readonly Group[],
  { mode: { intervalSeconds }, maxPoints, joinsApart = false }: Omit<PlanInput, "stations">,
): Group[] {
  const most = maxPoints();
  const joined: Joined[] = [];
  const open: Joined[] = [];
  for (const group of groups.toSorted((a, b) => a.range.startMs - b.range.startMs)) {
    const { range, epochSeconds, stationIds } = group;
    const values = stationIds.length * stationPoints(range, epochSeconds, intervalSeconds) * group.variables.length;
    const choices = open.flatMap((one) => {
      if (one.epochSeconds !== epochSeconds || (range.startMs > one.endMs && !joinsApart)) return [];
      const endMs = Math.max(one.endMs, range.endMs);
      const stations = one.ids.size + stationIds.filter((id) => !one.ids.has(id)).length;
      const variables = VARIABLE_NAMES.filter((name) => one.variables.includes(name) || group.variables.includes(name));
      const points = stations * stationPoints({ startMs: one.startMs, endMs }, epochSeconds, intervalSeconds);
      const added = points * variables.length - one.values - values;
      const isCheap = points <= ceilingPoints(variables, most) && added <= REQUEST_POINTS * variables.length;
      return isCheap ? [{ one, added, change: { endMs, variables, values: points * variables.length } }] : [];
    });
    const [best] = choices.toSorted((a, b) => a.added - b.added);
    if (best) {
      Object.assign(best.one, best.change);
      for (const id of stationIds) best.one.ids.add(id);
      continue;
    }
    const own = { ...range, epochSeconds, variables: group.variables, values, ids: new Set(stationIds) };
    joined.push(own);
    open.unshift(own);
    if (open.length > MAX_OPEN) open.pop();
  }
  return joined.map(({ startMs, endMs, epochSeconds, variables, ids }) => ({
    range: { startMs, endMs },
    variables: withImpliedVariables(variables),
    epochSeconds,
    stationIds: [...ids],
  }));
}

/** A group to which others are added, in order of time. */
interface Joined {
  readonly startMs: UtcMs;
  endMs: UtcMs;
  readonly epochSeconds: number;
  variables: readonly Variable[];
  /** Number of values that a request for it brings. */
  values: number;
  readonly ids: Set<string>;
}
