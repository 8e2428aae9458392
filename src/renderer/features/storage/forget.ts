import { useCallback } from "react";
import type { Variable } from "#shared/service/variables.ts";
import { bridge } from "../../bridge/index.ts";
import { showFault, showToast } from "../../stores/toasts.ts";
import { undoable } from "../../stores/undo.ts";
import { many } from "../../ui/text.ts";
import { showWork } from "./work.ts";

export interface Forgetting {
  /** null: all. */
  readonly stationIds: readonly string[] | null;
  /** null: all. */
  readonly variables: readonly Variable[] | null;
  /** "All data of Kallio" */
  readonly what: string;
  /** Called when it is done, or taken back. */
  readonly onSettled?: () => void;
}

/** Takes data out of the cache: announced first, done when the chance to take it back has passed. */
export function useForget(connectionId: string): (forgetting: Forgetting) => void {
  return useCallback(
    ({ stationIds, variables, what, onSettled }: Forgetting) =>
      undoable({
        text: `${what} will be forgotten. It can be fetched again.`,
        async commit() {
          const workId = crypto.randomUUID();
          const hide = showWork({ workId, connectionId, label: "Forgetting", text: () => `${what} is forgotten.` });
          const answer = await bridge.cache.forget({ connectionId, stationIds, variables, range: null, workId });
          hide();
          onSettled?.();
          if (!answer.ok) return showFault(answer.error);
          const { rows, isStopped } = answer.value;
          showToast(
            isStopped
              ? `Stopped: ${many(rows, "row")} forgotten, the rest is kept.`
              : `${many(rows, "row")} forgotten.`,
          );
        },
        undo: () => onSettled?.(),
      }),
    [connectionId],
  );
}
