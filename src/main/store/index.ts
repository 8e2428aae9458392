export { openCache } from "./cache.ts";
export { removeDatabase } from "./copy.ts";
export { StoreError, type StoreErrorKind } from "./errors.ts";
export { type FolderLock, lockFolder } from "./lock.ts";
export { shareWarning } from "./share.ts";
export type * from "./types.ts";
export { openUserStore } from "./userStore.ts";
export { sqliteVersion } from "./version.ts";
