import { useCallback } from "react";
import type { Variable } from "#shared/service/variables.ts";
import { bridge } from "../../bridge/index.ts";
import { showFault, showToast } from "../../stores/toasts.ts";
import { undoable } from "../../stores/undo.ts";
import { many } from "../../ui/text.ts";
import { showTask } from "./cacheTasks.ts";

interface Deletion {
  /** null for all. */
  readonly stationIds: readonly string[] | null;
  /** null for all. */
  readonly variables: readonly Variable[] | null;
  /** Description for messages: "All data of Kallio". */
  readonly what: string;
  /** Called when the deletion is done or undone. */
  readonly onSettled?: () => void;
}

/** Returns a function that deletes cached data after a delay, during which the user can undo it. */
export function useDeleteData(connectionId: string): (deletion: Deletion) => void {
  return useCallback(
    ({ stationIds, variables, what, onSettled }: Deletion) =>
      undoable({
        text: `${what} will be deleted. You can fetch it again.`,
        async commit() {
          const workId = crypto.randomUUID();
          const hide = showTask({ workId, connectionId, label: "Deleting", text: () => `${what} is being deleted.` });
          const answer = await bridge.cache.forget({ connectionId, stationIds, variables, range: null, workId });
          hide();
          onSettled?.();
          if (!answer.ok) return showFault(answer.error);
          const { rows, isStopped } = answer.value;
          showToast(
            isStopped ? `Stopped: ${many(rows, "row")} deleted, the rest is kept.` : `${many(rows, "row")} deleted.`,
          );
        },
        undo: () => onSettled?.(),
      }),
    [connectionId],
  );
}
