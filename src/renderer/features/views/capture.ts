import { resolveMovingRange } from "#shared/time/typed.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import type { ViewWorkspace } from "#shared/views/view.ts";
import type { Workspace } from "../../stores/workspace.ts";

/** Settings that are not part of a view: sizes of panes, recent commands. */
const WINDOW_SETTING = /^(explore|palette)\./;

/** Returns the part of the workspace that a view saves. */
export function captured(workspace: Workspace): ViewWorkspace {
  const { stationIds, slots, range, moving, variables, intervalSeconds, raw, resampled, showSigma, view, panes } =
    workspace;
  const kept = Object.entries(panes).filter(([name]) => !WINDOW_SETTING.test(name));
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
 * Returns the workspace with a view applied. A moving range is resolved at `nowMs`; settings of the window are kept.
 *
 * @param isKnown whether the catalogue contains a station; unknown ones, as from another service, are omitted
 */
export function withView(
  current: Workspace,
  view: ViewWorkspace,
  isKnown: (stationId: string) => boolean,
  nowMs: UtcMs,
): Workspace {
  const windowPanes = Object.entries(current.panes).filter(([name]) => WINDOW_SETTING.test(name));
  const viewPanes = Object.entries(view.panes).filter(([name]) => !WINDOW_SETTING.test(name));
  return {
    ...current,
    ...view,
    range: (view.moving && resolveMovingRange(view.moving, nowMs)) ?? view.range,
    stationIds: view.stationIds.filter(isKnown),
    variables: [...view.variables],
    room: "explore",
    panes: Object.fromEntries([...viewPanes, ...windowPanes]),
  };
}
