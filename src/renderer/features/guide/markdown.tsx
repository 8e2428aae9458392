import { isValidElement, type ReactNode } from "react";
import type { Components } from "react-markdown";
import { Link } from "react-aria-components";
import { bridge } from "../../bridge/index.ts";
import { useCapabilities } from "../../stores/capabilities.ts";
import { showFault } from "../../stores/toasts.ts";
import { Keys } from "../../ui/notes.tsx";
import { anchorOf, type PageId, pictureOf } from "./pages.ts";
import classes from "./guide.module.css";
import { GuideLink } from "./GuideLink.tsx";
import links from "./link.module.css";
import { isKeys, targetOf } from "./links.ts";

/** Returns the DOM id of a heading, with a prefix because the document contains more than the guide. */
export function headingId(anchor: string): string {
  return `guide:${anchor}`;
}

/** Returns the components that render the Markdown of a page. */
export function markdownComponents(from: PageId): Components {
  return {
    h1: ({ children }) => <h3 className={classes["h1"]}>{children}</h3>,
    h2: ({ children }) => (
      <h4 id={headingId(anchorOf(textOf(children)))} className={classes["h2"]}>
        {children}
      </h4>
    ),
    h3: ({ children }) => (
      <h5 id={headingId(anchorOf(textOf(children)))} className={classes["h3"]}>
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
      return isKeys(text) ? <Keys keys={text} /> : <code className={classes["code"]}>{children}</code>;
    },
    pre: ({ children }) => (
      // Focusable, so that the keyboard can scroll wide code.
      <pre className={classes["block"]} tabIndex={0}>
        {textOf(children)}
      </pre>
    ),
    table: ({ children }) => (
      <div className={classes["tableFrame"]}>
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
      {children} <span className={classes["address"]}>({props.href})</span>
    </>
  );
}

async function openOutside(url: string): Promise<void> {
  const answer = await bridge.system.openExternal({ url });
  if (!answer.ok) showFault(answer.error);
}

/** A picture in both themes: the style sheet shows one, and the other is not loaded. */
function PagePicture({ source, alt }: { readonly source: string; readonly alt: string }) {
  const picture = pictureOf(source);
  if (!picture) return <em>{alt}</em>;
  // All pictures of the guide have this size, so the layout does not move when one is loaded.
  const shared = { width: 1024, height: 700, loading: "lazy" } as const;
  return (
    <span className={classes["picture"]}>
      <img {...shared} alt={alt} src={picture.light} className={classes["light"]} />
      <img {...shared} alt={alt} src={picture.dark} className={classes["dark"]} />
      <span className={classes["caption"]} aria-hidden>
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
