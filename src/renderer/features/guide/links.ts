import { allowedAddress } from "#shared/addresses.ts";
import { isPageId, type PageId } from "./pages.ts";

const NAMED = "Ctrl|Shift|Alt|Esc|Enter|Space|Tab|Home|End|Page Up|Page Down|Delete|F\\d{1,2}";
const KEYS = new RegExp(`^(?:(?:${NAMED}) )*(?:${NAMED}|[←→↑↓]|[A-Z0-9/?+,=\\[\\]-])$`);

/** Whether inline code of a page is a key or a key combination: `F`, `Ctrl K`, `Shift ↓`. */
export function isKeys(code: string): boolean {
  return KEYS.test(code);
}

/** The target of a link of a page. */
type Target =
  | { readonly kind: "page"; readonly page: PageId; readonly anchor: string | null }
  | { readonly kind: "outside"; readonly address: string }
  | { readonly kind: "nowhere" };

const TO_PAGE = /^(?:([a-z-]+)\.md)?(?:#(.+))?$/;

/** Resolves a link. @param href as written in the page: `fetching.md#cost`, `#cost`, `https://…` */
export function targetOf(href: string, from: PageId): Target {
  const inside = TO_PAGE.exec(href);
  const page = inside?.[1] ?? from;
  if (inside && href !== "" && isPageId(page))
    return { kind: "page", page, anchor: inside[2] === undefined ? null : decodeURIComponent(inside[2]) };
  const address = allowedAddress(href);
  return address === null ? { kind: "nowhere" } : { kind: "outside", address };
}
