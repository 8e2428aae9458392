import type { AppFault } from "#shared/fault.ts";
import type { Result } from "#shared/service/error.ts";
import { resolveMovingRange } from "#shared/time/typed.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import type { SavedView, ViewWorkspace } from "#shared/views/view.ts";
import { bridge } from "../../bridge/index.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { switchConnection, useConnection } from "../../stores/connection.ts";
import { orShowFault, showToast, type Toast, undoable } from "../../stores/toasts.ts";
import { shownOf } from "../../stores/undoWorkspace.ts";
import { useWorkspace, type Workspace } from "../../stores/workspace.ts";
import { count, many } from "../../ui/text.ts";
import { useDeletedViews } from "./store.ts";

/** Settings that are not part of a view: sizes of panes, recent commands. */
const WINDOW_SETTING = /^(explore|palette)\./;

/** Returns the part of the workspace that a view saves. */
export function captured(workspace: Workspace): ViewWorkspace {
  const kept = Object.entries(workspace.panes).filter(([name]) => !WINDOW_SETTING.test(name));
  return { ...shownOf(workspace), panes: Object.fromEntries(kept) };
}

/**
 * Returns the workspace with a view applied. A moving range is resolved at `nowMs`; settings of the window are kept.
 *
 * @param isKnown whether the catalogue contains a station; unknown ones, as from another service, are omitted
 */
function withView(
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
    section: "explore",
    panes: Object.fromEntries([...viewPanes, ...windowPanes]),
  };
}

/** Saves the current view under a name. Replacing one can be undone. */
export async function saveView(name: string): Promise<Result<unknown, AppFault>> {
  const connectionId = useConnection.getState().current?.info.id ?? null;
  const view = { name: name.trim(), connectionId, savedAtMs: Date.now(), workspace: captured(useWorkspace.getState()) };
  const answer = await bridge.views.save({ views: [view] });
  if (!answer.ok) return answer;
  const replaced = answer.value;
  if (replaced.length === 0) showToast(`“${view.name}” was saved.`);
  else
    showToast(`“${view.name}” was saved in place of the earlier one.`, {
      label: "Undo",
      run: () => void restore(replaced, [view]),
    });
  return answer;
}

/** Saves earlier views in place of the ones that this window saved, unless another window has changed them meanwhile. */
async function restore(views: readonly SavedView[], replaces: readonly SavedView[]): Promise<void> {
  await orShowFault(bridge.views.save({ views, replaces }));
}

/** Deletes a view, which can be undone. */
export async function deleteView(view: SavedView): Promise<void> {
  const answer = await orShowFault(bridge.views.delete({ name: view.name }));
  if (answer.ok) showToast(`“${view.name}” is deleted.`, { label: "Undo", run: () => void restore([view], []) });
}

/** Deletes an unreadable view after the time to undo, because it could not be written again. */
export function deleteDamaged(name: string): void {
  useDeletedViews.setState(({ names }) => ({ names: [...names, name] }));
  undoable({
    text: `“${name}” will be deleted.`,
    async commit() {
      await orShowFault(bridge.views.delete({ name }));
    },
    undo: () => useDeletedViews.setState(({ names }) => ({ names: names.filter((one) => one !== name) })),
  });
}

interface Shown extends Pick<Toast, "action"> {
  readonly missing: string;
}

/** Shows a view, and says so. */
export async function showView(view: SavedView): Promise<void> {
  const shown = await applyView(view);
  if (shown) showToast(`“${view.name}” is shown.${shown.missing}`, shown.action);
}

/**
 * Shows a view, in the connection in which it was saved if that still exists.
 *
 * @returns a sentence on stations that are not there, after a space, and how to return; null if it cannot be shown
 */
export async function applyView({ connectionId, workspace }: SavedView): Promise<Shown | null> {
  const { current, all } = useConnection.getState();
  const isElsewhere = connectionId !== null && connectionId !== current?.info.id;
  const isMoving = isElsewhere && all?.some((c) => c.id === connectionId);
  if (isMoving) {
    const opened = await switchConnection(connectionId);
    if (!opened) return null;
    await opened.catalogue;
  }
  const { byId } = useCatalogue.getState();
  const isKnown = (id: string): boolean => byId.size === 0 || byId.has(id);
  const before = useWorkspace.getState();
  useWorkspace.setState(withView(before, workspace, isKnown, Date.now()), true);
  const missing = workspace.stationIds.filter((id) => !isKnown(id)).length;
  const of = `${count(missing)} of its ${many(workspace.stationIds.length, "station")} ${missing === 1 ? "is" : "are"}`;
  const remedy =
    isElsewhere && !isMoving
      ? ` The view’s connection was removed: connect to its service again to see ${missing === 1 ? "it" : "them"}.`
      : "";
  const sentence = missing === 0 ? "" : ` ${of} not in the catalogue of this connection.${remedy}`;
  // In another connection there is no previous selection to return to.
  const action = isMoving ? null : { label: "Back", run: () => useWorkspace.setState(before, true) };
  return { missing: sentence, action };
}
