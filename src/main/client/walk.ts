import { failure, type Result, type ServiceError, success } from "#shared/service/error.ts";
import { canonicalId } from "#shared/service/stationId.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { serviceError } from "./errors/make.ts";
import type { Listing, Page } from "./types.ts";

/** Walks over a list that changes under the walker before it is taken as it comes. */
const MOST_WALKS = 3;
/** No list has more pages: that is 100,000 stations. */
const MOST_PAGES = 500;

/**
 * All pages as one list, each item once. A catalogue that changes between two pages moves items from one to the other:
 * some come twice, some never. That shows in totals that differ, in an item that comes twice, or in a sum that is not
 * the total; then the walk starts over. Where it never comes out even, everything seen in any walk is the list.
 */
export async function walkPages<T extends { readonly id: string }>(
  fetchPage: (page: number) => Promise<Result<Page<T>>>,
): Promise<Result<Listing<T>>> {
  const seen = new Map<string, T>();
  let serverTimeMs: UtcMs | null = null;
  for (let walk = 0; walk < MOST_WALKS; walk++) {
    const found = new Map<string, T>();
    const isLast = walk === MOST_WALKS - 1;
    let isEven = true;
    let total: number | null = null;
    for (let page = 1; ; page++) {
      const answer = await fetchPage(page);
      if (!answer.ok) return answer;
      const { items, pagination } = answer.value;
      serverTimeMs = answer.value.serverTimeMs ?? serverTimeMs;
      total ??= pagination.totalItems;
      const before = found.size;
      for (const item of items) {
        const id = canonicalId(item.id);
        if (found.has(id)) isEven = false;
        found.set(id, item);
        seen.set(id, item);
      }
      if (pagination.totalItems !== total) isEven = false;
      if (page >= MOST_PAGES && page < pagination.totalPages) return failure(endless());
      const bringsNothing = found.size === before;
      if (page >= pagination.totalPages || bringsNothing || (!isEven && !isLast)) break;
    }
    if (isEven && found.size === total) return success({ items: [...found.values()], serverTimeMs });
  }
  return success({ items: [...seen.values()], serverTimeMs });
}

function endless(): ServiceError {
  const message = `The service's list has no end: ${MOST_PAGES} pages were read, and it has more. Nothing of it was kept; tell the operator of the service.`;
  return serviceError("notTheService", message, { status: 200, cause: `more than ${MOST_PAGES} pages` });
}
