/** Of the files that can be opened, for the chooser of a browser. */
export const ACCEPTED_ENDINGS = [".nc", ".nc4", ".cdf", ".h5", ".csv", ".parquet", ".sqlite", ".db", ".tro"] as const;
