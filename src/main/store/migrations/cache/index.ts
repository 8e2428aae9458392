import type { Migration } from "../../database/database.ts";
import { CHUNKS } from "./0001-chunks.ts";
import { VALUE_COUNTS } from "./0002-value-counts.ts";
import { SIZES } from "./0003-sizes.ts";
import { SPLIT_DOUBLES } from "./0004-split-doubles.ts";
import { register } from "./0005-register.ts";

/** In order; the number of those that were applied is the `user_version` of the file. Never change one, add one. */
export const CACHE_MIGRATIONS: readonly Migration[] = [CHUNKS, VALUE_COUNTS, SIZES, SPLIT_DOUBLES, register];
