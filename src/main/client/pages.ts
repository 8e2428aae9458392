import { failure, type Result, type ServiceError, success } from "#shared/service/error.ts";
import { count } from "#shared/text.ts";
import { canonicalId } from "#shared/service/stationId.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { serviceError } from "./errors/refusal.ts";
import type { Listing, Page } from "./types.ts";

/** Attempts to read a list that changes meanwhile, before its entries are used as they are. */
const MAX_WALKS = 3;
/** More than any list has: 100,000 stations. */
const MAX_PAGES = 500;

/** Errors by which a service may report that there is no such page. */
const NO_SUCH_PAGE: ReadonlySet<ServiceError["kind"]> = new Set(["notFound", "invalid"]);

/**
 * Fetches all pages as one list, each item once. A catalogue that changes between two pages moves items across pages:
 * some are listed twice, some never. Signs are totals that differ, an item listed twice, or a sum that is not the total;
 * all pages are then fetched again. If two complete walks agree, that is the list, whatever the totals say; if it never
 * settles, the list has every item seen in any walk. Both are reported (`remark`).
 *
 * A full last page may not be the last, so one more is requested: a total that is too small hides nothing. Pages are full
 * if they are as long as an earlier one, whatever page size the service states, and always if it states no total.
 *
 * @param mayBeEmpty whether an empty list is accepted although its total is not zero, because no measurement needs it
 */
export async function fetchAllPages<T extends { readonly id: string }>(
  what: string,
  fetchPage: (page: number) => Promise<Result<Page<T>>>,
  mayBeEmpty = false,
): Promise<Result<Listing<T>>> {
  const seen = new Map<string, T>();
  let serverTimeMs: UtcMs | null = null;
  let before: ReadonlyMap<string, T> | null = null;
  for (let walk = 0; walk < MAX_WALKS; walk++) {
    const found = new Map<string, T>();
    const isLast = walk === MAX_WALKS - 1;
    let isEven = true;
    let isWhole = false;
    let isLeft = false;
    let total: number | null = null;
    let longest = Infinity;
    for (let page = 1, pages = 1; !isWhole && !isLeft; page++) {
      const isBeyond = page > pages;
      const answer = await fetchPage(page);
      if (!answer.ok && isBeyond && NO_SUCH_PAGE.has(answer.error.kind)) break;
      if (!answer.ok) return answer;
      const { items, pagination } = answer.value;
      serverTimeMs = answer.value.serverTimeMs ?? serverTimeMs;
      const fresh = items.filter((item) => !found.has(canonicalId(item.id)));
      if (isBeyond && fresh.length === 0) break;
      total ??= pagination.totalItems;
      if (pagination.totalItems !== total || fresh.length < items.length) isEven = false;
      const size = found.size;
      for (const item of items) {
        const id = canonicalId(item.id);
        found.set(id, merged(found.get(id), item));
      }
      for (const [id, item] of found) seen.set(id, item);
      // The same item twice on one page.
      if (found.size < size + items.length) isEven = false;
      pages = Math.max(page, pagination.totalPages);
      const isFull = items.length > 0 && (total === null || items.length >= Math.min(pagination.pageSize, longest));
      longest = page === 1 ? items.length : Math.max(longest, items.length);
      isWhole = fresh.length === 0 || (page >= pages && !isFull);
      if (!isWhole && page >= MAX_PAGES) return failure(endless());
      isLeft = !isWhole && !isEven && !isLast;
    }
    if (isLeft) continue;
    // A total without any station is an error: the stored stations remain.
    if (!mayBeEmpty && found.size === 0 && (total ?? 0) > 0) return failure(listsNone(what, total ?? 0));
    const items = [...found.values()];
    // A single page cannot change while it is read.
    const isConfirmed = found.size === total || (total === null && found.size === longest);
    if (isEven && isConfirmed) return success({ items, serverTimeMs, remark: null });
    if (isSame(before, found)) {
      const remark = isConfirmed ? null : doesNotAddUp(what, total, found.size);
      return success({ items, serverTimeMs, remark });
    }
    before = found;
  }
  return success({ items: [...seen.values()], serverTimeMs, remark: restless(what, seen.size) });
}

/** Merges two copies of an item: what the second one omits is taken from the first, and so is the spelling of the id. */
function merged<T extends { readonly id: string }>(before: T | undefined, item: T): T {
  if (before === undefined) return item;
  const told = Object.entries<unknown>({ ...item }).filter(
    ([, value]) => value !== null && value !== "" && value !== 0,
  );
  return { ...before, ...Object.fromEntries(told), id: before.id };
}

function isSame(a: ReadonlyMap<string, unknown> | null, b: ReadonlyMap<string, unknown>): boolean {
  return a !== null && a.size === b.size && [...b.keys()].every((id) => a.has(id));
}

function doesNotAddUp(what: string, total: number | null, found: number): string {
  const stated = total === null ? `does not say how many ${what} it has` : `says that it has ${count(total)} ${what}`;
  return `The service ${stated}, and listed the same ${count(found)} twice. The listed ${what} are used; if one is missing, tell the operator of the service.`;
}

function restless(what: string, found: number): string {
  return `The service's list of ${what} changed every time it was read. All ${count(found)} entries of any version are used; refresh the list later.`;
}

function listsNone(what: string, total: number): ServiceError {
  const message = `The service says that it has ${count(total)} ${what}, and listed none of them. Refresh the list later; if this persists, inform the operator of the service.`;
  return serviceError("notTheService", message, { status: 200, cause: `0 of ${total} items` });
}

function endless(): ServiceError {
  const message = `The service's list does not end: ${MAX_PAGES} pages were read, and there are more. It was discarded; inform the operator of the service.`;
  return serviceError("notTheService", message, { status: 200, cause: `more than ${MAX_PAGES} pages` });
}
