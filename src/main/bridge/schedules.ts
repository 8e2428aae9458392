import type { Handlers } from "#shared/bridge/method.ts";
import type { schedules } from "#shared/bridge/methods/schedules.ts";
import { usageFault } from "#shared/fault.ts";
import { failure, success } from "#shared/service/error.ts";
import type { Core } from "./core.ts";

const NOT_CHOSEN = failure(usageFault("Choose the folder in the system's dialog first."));

export function scheduleHandlers({ app, ports, chosenFiles }: Core): Handlers<typeof schedules> {
  const { store, ...all } = app.schedules;
  return {
    list: () => success(all.list()),
    save({ id, schedule, before: edited }) {
      const { folder } = schedule;
      const before = id === null ? null : (store.find(id)?.schedule.folder ?? null);
      // A window may write only where the user chose; without a desktop, the caller is the program itself.
      if (folder !== null && folder !== before && ports.desktop && !chosenFiles.has(folder)) return NOT_CHOSEN;
      return all.save(id, schedule, edited);
    },
    remove: ({ id, before }) => all.remove(id, before),
    setPaused: ({ id, isPaused }) => all.setPaused(id, isPaused),
    run: ({ id }) => all.run(id),
    async stop({ id }) {
      await all.stop(id);
      return success(null);
    },
    history: ({ id }) => success(store.runs(id)),
  };
}
