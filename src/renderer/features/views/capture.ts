import { resolveMovingRange } from "#shared/time/typed.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import type { ViewWorkspace } from "#shared/views/view.ts";
import type { Workspace } from "../../stores/workspaceSchema.ts";

/** Choices that belong to this screen or this person, not to what is shown: sizes of panes, what was run last. */
const OF_THE_WINDOW = /^(explore|palette)\./;

/** What a view keeps of a window. */
export function captured(workspace: Workspace): ViewWorkspace {
  const { stationIds, slots, range, moving, variables, intervalSeconds, raw, resampled, showSigma, view, panes } =
    workspace;
  const kept = Object.entries(panes).filter(([name]) => !OF_THE_WINDOW.test(name));
  return {
    stationIds,
    slots,
    range,
    moving,
    variables,
    intervalSeconds,
    raw,
    resampled,
    showSigma,
    view,
    panes: Object.fromEntries(kept),
  };
}

/**
 * A window that shows a view: what the view keeps is as it was, a range that moves lies where it is now, the rest stays.
 *
 * @param isKnown whether the catalogue has a station: unknown ones, from someone else's service, are left out
 */
export function shown(
  current: Workspace,
  view: ViewWorkspace,
  isKnown: (stationId: string) => boolean,
  nowMs: UtcMs,
): Workspace {
  const own = Object.entries(current.panes).filter(([name]) => OF_THE_WINDOW.test(name));
  const foreign = Object.entries(view.panes).filter(([name]) => !OF_THE_WINDOW.test(name));
  return {
    ...current,
    ...view,
    range: (view.moving && resolveMovingRange(view.moving, nowMs)) ?? view.range,
    stationIds: view.stationIds.filter(isKnown),
    variables: [...view.variables],
    room: "explore",
    panes: Object.fromEntries([...foreign, ...own]),
  };
}
