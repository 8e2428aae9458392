import { join } from "node:path";
import type { log as contract } from "#shared/bridge/methods/log.ts";
import type { Handlers } from "#shared/bridge/method.ts";
import { success } from "#shared/service/error.ts";
import { LOG_NAME } from "../log/file.ts";
import { log, readLog } from "../log/index.ts";

/** Limits the reports of a page that fails in every frame. */
const MAX_REPORTS = 100;

export function logHandlers(dataFolder: string): Handlers<typeof contract> {
  let reports = 0;
  return {
    read: ({ level, most }) =>
      success({ path: join(dataFolder, LOG_NAME), lines: readLog(dataFolder, level).slice(-most) }),
    report({ text }) {
      if (reports++ < MAX_REPORTS) log.error(`window: ${text}`);
      return success(null);
    },
  };
}
