import { CONNECTIONS } from "./0001-connections.ts";
import { SETTINGS } from "./0002-settings.ts";
import { SAVED_EXPORTS } from "./0003-saved-exports.ts";
import { FILES } from "./0004-files.ts";
import { SCHEDULES } from "./0005-schedules.ts";

/** In order; the number of those that were applied is the `user_version` of the file. Never change one, add one. */
export const USER_MIGRATIONS: readonly string[] = [CONNECTIONS, SETTINGS, SAVED_EXPORTS, FILES, SCHEDULES];
