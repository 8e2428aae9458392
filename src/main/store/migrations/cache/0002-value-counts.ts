/** How many values each chunk holds, side by side: a calendar of a year of stations reads nothing else. */
export const VALUE_COUNTS = `
CREATE INDEX chunk_column_count ON chunk_column (site, variable, interval_seconds, raw, bucket_ms, n);
`;
