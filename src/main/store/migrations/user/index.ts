import { CONNECTIONS } from "./0001-connections.ts";
import { SETTINGS } from "./0002-settings.ts";

/** In order; the number of those that were applied is the `user_version` of the file. Never change one, add one. */
export const USER_MIGRATIONS: readonly string[] = [CONNECTIONS, SETTINGS];
