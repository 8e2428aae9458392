/** One page of a list with the totals of the whole (2.3, or 9.3 in the earlier form); a page past the end is empty. */
export function pageOf<T>(all: readonly T[], page: number, pageSize: number, isEarlierForm: boolean) {
  const from = (page - 1) * pageSize;
  return {
    items: all.slice(from, from + pageSize),
    pagination: {
      page,
      page_size: pageSize,
      [isEarlierForm ? "total_count" : "total_items"]: all.length,
      total_pages: Math.ceil(all.length / pageSize),
    },
  };
}
