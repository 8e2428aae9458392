/** The pages of the guide in reading order; each is `docs/guide/<id>.md`. */
export const CONTENTS = [
  { title: "Begin", pages: ["first-minute", "connecting", "stations-and-time"] },
  { title: "Data", pages: ["fetching", "missing-data", "opening-files", "storage"] },
  { title: "Views", pages: ["series", "map", "satellites", "availability", "compare", "table"] },
  { title: "Share", pages: ["export", "saving-figures", "schedules", "python-and-r", "views-and-sessions"] },
  { title: "Elsewhere", pages: ["command-line", "servers"] },
  { title: "Look up", pages: ["keyboard", "words-and-units"] },
] as const;

export type PageId = (typeof CONTENTS)[number]["pages"][number];

/** All pages in reading order. */
export const PAGE_IDS: readonly PageId[] = CONTENTS.flatMap(({ pages }): readonly PageId[] => pages);

export function isPageId(id: string): id is PageId {
  return (PAGE_IDS as readonly string[]).includes(id);
}
