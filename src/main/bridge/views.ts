import type { Handlers } from "#shared/bridge/method.ts";
import type { views } from "#shared/bridge/views.ts";
import { success } from "#shared/service/error.ts";
import { createSavedViews } from "../app/savedViews.ts";
import type { Core } from "./core.ts";

export function viewHandlers({ users, events }: Core): Handlers<typeof views> {
  const kept = createSavedViews(users);
  const changed = (): void => events.emit("viewsChanged", null);
  return {
    list: () => success(kept.list()),
    save({ views: given }) {
      const answer = kept.save(given);
      if (answer.ok) changed();
      return answer;
    },
    rename({ name, to }) {
      const answer = kept.rename(name, to);
      if (answer.ok) changed();
      return answer;
    },
    delete({ name }) {
      kept.delete(name);
      changed();
      return success(null);
    },
  };
}
