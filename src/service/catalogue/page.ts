/** One page of a list with the totals of the whole (2.3); a page past the end is empty. */
export function pageOf<T>(all: readonly T[], page: number, pageSize: number) {
  const from = (page - 1) * pageSize;
  return {
    items: all.slice(from, from + pageSize),
    pagination: {
      page,
      page_size: pageSize,
      total_items: all.length,
      total_pages: Math.ceil(all.length / pageSize),
    },
  };
}
