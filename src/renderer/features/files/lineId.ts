/** Names a series of an opened file among the lines of a plot. */
export function lineIdOf(fileId: string, seriesId: string): string {
  return JSON.stringify([fileId, seriesId]);
}

/** What `lineIdOf` was made of. */
export function fileOf(lineId: string): { readonly fileId: string; readonly seriesId: string } {
  const [fileId, seriesId] = JSON.parse(lineId) as [string, string];
  return { fileId, seriesId };
}
