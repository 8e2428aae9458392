import { useEffect, useMemo, useRef } from "react";
import Markdown, { type Components } from "react-markdown";
import gfm from "remark-gfm";
import { Link } from "react-aria-components";
import { PAGE_IDS, type PageId } from "./contents.ts";
import classes from "./guide.module.css";
import links from "./link.module.css";
import { headingId, pieces } from "./pieces.tsx";
import { openGuide } from "./open.ts";
import { MARKDOWN, PAGES } from "./pages.ts";
import type { Visit } from "./trail.ts";

const PLUGINS = [gfm];
/** What scrolls, and takes the focus. */
export const PAGE_ID = "guide:page";

/** How far every visit was scrolled when it was left, px: back is where one was. */
const left = new Map<number, number>();

/** One page, scrolled to the heading that was asked for, or to where it was left. */
export function Page({ visit }: { readonly visit: Visit }) {
  const { page } = visit;
  const scroller = useRef<HTMLDivElement>(null);
  const components = useMemo<Components>(() => pieces(page), [page]);
  useEffect(() => {
    const at = scroller.current;
    if (!at) return;
    const kept = left.get(visit.id);
    const heading = visit.anchor === null ? null : document.getElementById(headingId(visit.anchor));
    if (kept === undefined && heading) heading.scrollIntoView({ block: "start" });
    else at.scrollTop = kept ?? 0;
    // The link that was pressed may be gone with its page.
    const { activeElement, body } = document;
    if (activeElement === body || at.contains(activeElement)) at.focus({ preventScroll: true });
    return () => void left.set(visit.id, at.scrollTop);
  }, [visit]);
  const title = PAGES.get(page)?.title ?? "";
  return (
    // Scrolled with the keyboard too.
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

/** The pages before and after, for those who read from one to the next. */
function Neighbours({ page }: { readonly page: PageId }) {
  const at = PAGE_IDS.indexOf(page);
  const [before, after] = [PAGE_IDS[at - 1], PAGE_IDS[at + 1]];
  return (
    <nav aria-label="Pages before and after" className={classes["neighbours"]}>
      {before ? (
        <Link className={links["link"]!} onPress={() => openGuide(before)}>
          ← {PAGES.get(before)?.title}
        </Link>
      ) : null}
      <span className={classes["spring"]} />
      {after ? (
        <Link className={links["link"]!} onPress={() => openGuide(after)}>
          {PAGES.get(after)?.title} →
        </Link>
      ) : null}
    </nav>
  );
}
