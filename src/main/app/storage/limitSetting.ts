/** The setting of a cache that says how large it may become. */
export const LIMIT = "limitBytes";
