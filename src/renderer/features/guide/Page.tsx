import { useEffect, useMemo, useRef } from "react";
import Markdown, { type Components } from "react-markdown";
import gfm from "remark-gfm";
import { MARKDOWN, PAGE_IDS, type PageId, PAGES } from "./pages.ts";
import classes from "./guide.module.css";
import { GuideLink } from "./GuideLink.tsx";
import { headingId, markdownComponents } from "./markdown.tsx";
import type { Visit } from "./open.ts";

const PLUGINS = [gfm];
/** The id of the scrollable element, which takes the focus. */
export const PAGE_ID = "guide:page";

/** Scroll positions of visits, px, by id, to restore them on Back. */
const scrollPositions = new Map<number, number>();

/** A page, scrolled to the requested heading or to its last position. */
export function Page({ visit }: { readonly visit: Visit }) {
  const { page } = visit;
  const scroller = useRef<HTMLDivElement>(null);
  const components = useMemo<Components>(() => markdownComponents(page), [page]);
  useEffect(() => {
    const at = scroller.current;
    if (!at) return;
    const kept = scrollPositions.get(visit.id);
    const heading = visit.anchor === null ? null : document.getElementById(headingId(visit.anchor));
    if (kept === undefined && heading) heading.scrollIntoView({ block: "start" });
    else at.scrollTop = kept ?? 0;
    // The pressed link may have disappeared with its page.
    const { activeElement, body } = document;
    if (activeElement === body || at.contains(activeElement)) at.focus({ preventScroll: true });
    return () => void scrollPositions.set(visit.id, at.scrollTop);
  }, [visit]);
  const title = PAGES.get(page)?.title ?? "";
  return (
    // Focusable, so that the keyboard can scroll it.
    <div ref={scroller} id={PAGE_ID} className={classes["scroller"]} role="region" aria-label={title} tabIndex={0}>
      <article className={classes["page"]}>
        <Markdown remarkPlugins={PLUGINS} components={components} skipHtml>
          {MARKDOWN.get(page)}
        </Markdown>
        <Neighbours page={page} />
      </article>
    </div>
  );
}

/** Links to the previous and the next page. */
function Neighbours({ page }: { readonly page: PageId }) {
  const at = PAGE_IDS.indexOf(page);
  const [before, after] = [PAGE_IDS[at - 1], PAGE_IDS[at + 1]];
  return (
    <nav aria-label="Pages before and after" className={classes["neighbours"]}>
      {before ? <GuideLink page={before}>← {PAGES.get(before)?.title}</GuideLink> : null}
      <span className={classes["spring"]} />
      {after ? <GuideLink page={after}>{PAGES.get(after)?.title} →</GuideLink> : null}
    </nav>
  );
}
