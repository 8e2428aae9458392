export { openCache } from "./cache.ts";
export { StoreError, type StoreErrorKind } from "./errors.ts";
export type * from "./types.ts";
