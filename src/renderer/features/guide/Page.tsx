import { isValidElement, type ReactNode, useEffect, useMemo, useRef } from "react";
import { Link } from "react-aria-components";
import Markdown, { type Components } from "react-markdown";
import gfm from "remark-gfm";
import { bridge } from "../../bridge/index.ts";
import { useCapabilities } from "../../stores/capabilities.ts";
import { orShowFault } from "../../stores/toasts.ts";
import { Keys } from "../../ui/notes.tsx";
import { GuideLink } from "./GuideLink.tsx";
import type { Visit } from "./open.ts";
import { anchorOf, isKeys, MARKDOWN, PAGE_IDS, type PageId, PAGES, pictureOf, targetOf } from "./pages.ts";
import classes from "./guide.module.css";
import links from "./link.module.css";

/** Returns the DOM id of a heading, with a prefix because the document contains more than the guide. */
function headingId(anchor: string): string {
  return `guide:${anchor}`;
}

/** Returns the components that render the Markdown of a page. */
function markdownComponents(from: PageId): Components {
  return {
    h1: ({ children }) => <h3 className="mb-4 text-title leading-8">{children}</h3>,
    h2: ({ children }) => (
      <h4 id={headingId(anchorOf(textOf(children)))} className="max-w-(--measure) mt-7 mb-2 text-large">
        {children}
      </h4>
    ),
    h3: ({ children }) => (
      <h5 id={headingId(anchorOf(textOf(children)))} className="max-w-(--measure) mt-5 mb-1">
        {children}
      </h5>
    ),
    a: ({ href, children }) => (
      <PageLink href={href ?? ""} from={from}>
        {children}
      </PageLink>
    ),
    img: ({ src, alt }) => <PagePicture source={typeof src === "string" ? src : ""} alt={alt ?? ""} />,
    code: ({ children }) => {
      const text = textOf(children);
      return isKeys(text) ? (
        <Keys keys={text} />
      ) : (
        <code
          className={`${classes["code"]} px-1 py-[1px] rounded-box bg-surface-3 font-code text-small wrap-anywhere`}
        >
          {children}
        </code>
      );
    },
    pre: ({ children }) => (
      // Focusable, so that the keyboard can scroll wide code.
      <pre className="scroll mb-3 px-4 py-3 rounded-box bg-surface-2 font-code text-small leading-4.5" tabIndex={0}>
        {textOf(children)}
      </pre>
    ),
    table: ({ children }) => (
      // Focusable, like code.
      <div className="scroll mb-4" tabIndex={0}>
        <table className={classes["table"]}>{children}</table>
      </div>
    ),
  };
}

function PageLink(props: { readonly href: string; readonly from: PageId; readonly children: ReactNode }) {
  const { children } = props;
  const { openExternal } = useCapabilities();
  const target = targetOf(props.href, props.from);
  if (target.kind === "page")
    return (
      <GuideLink page={target.page} anchor={target.anchor}>
        {children}
      </GuideLink>
    );
  if (target.kind === "outside" && openExternal)
    return (
      <Link className={links["link"]} onPress={() => void openOutside(target.address)}>
        {children}
      </Link>
    );
  // If the shell cannot open links, the address is shown for copying.
  return (
    <>
      {children} <span className="text-quiet wrap-anywhere">({props.href})</span>
    </>
  );
}

async function openOutside(url: string): Promise<void> {
  await orShowFault(bridge.system.openExternal({ url }));
}

/** A picture in both themes: the style sheet shows one, and the other is not loaded. */
function PagePicture({ source, alt }: { readonly source: string; readonly alt: string }) {
  const picture = pictureOf(source);
  if (!picture) return <em>{alt}</em>;
  // All pictures of the guide have this size, so the layout does not move when one is loaded.
  const shared = { width: 1024, height: 700, loading: "lazy" } as const;
  return (
    <span className={`${classes["picture"]} block mt-2 mb-4`}>
      <img {...shared} alt={alt} src={picture.light} className={classes["light"]} />
      <img {...shared} alt={alt} src={picture.dark} className={classes["dark"]} />
      <span className="caption block max-w-(--measure) pt-1" aria-hidden>
        {alt}
      </span>
    </span>
  );
}

function textOf(node: ReactNode): string {
  if (typeof node === "string" || typeof node === "number") return String(node);
  if (Array.isArray(node)) return node.map(textOf).join("");
  return isValidElement<{ children?: ReactNode }>(node) ? textOf(node.props.children) : "";
}

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
    <nav
      aria-label="Pages before and after"
      className="flex flex-wrap gap-4 max-w-(--measure) mt-8 pt-3 border-t border-line"
    >
      {before ? <GuideLink page={before}>← {PAGES.get(before)?.title}</GuideLink> : null}
      <span className="flex-1" />
      {after ? <GuideLink page={after}>{PAGES.get(after)?.title} →</GuideLink> : null}
    </nav>
  );
}
