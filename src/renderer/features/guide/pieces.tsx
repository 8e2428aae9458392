import { isValidElement, type ReactNode } from "react";
import type { Components } from "react-markdown";
import { Link } from "react-aria-components";
import { bridge } from "../../bridge/index.ts";
import { useCapabilities } from "../../stores/capabilities.ts";
import { showFault } from "../../stores/toasts.ts";
import { Keys } from "../../ui/notes.tsx";
import type { PageId } from "./contents.ts";
import classes from "./guide.module.css";
import links from "./link.module.css";
import { isKeys, targetOf } from "./links.ts";
import { openGuide } from "./open.ts";
import { pictureOf } from "./pages.ts";
import { anchorOf } from "./sections.ts";

/** The `id` of a heading in the document, which is not only the guide's. */
export function headingId(anchor: string): string {
  return `guide:${anchor}`;
}

/** What the parts of a page are drawn with. */
export function pieces(from: PageId): Components {
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
      // Scrolled with the keyboard where it is wider than the page.
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
      <Link className={links["link"]!} onPress={() => openGuide(target.page, target.anchor)}>
        {children}
      </Link>
    );
  if (target.kind === "outside" && openExternal)
    return (
      <Link className={links["link"]!} onPress={() => void openOutside(target.address)}>
        {children}
      </Link>
    );
  // Where nothing can be opened from here the address is there to be copied.
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

/** Both themes of a picture; the style sheet shows one, and the other is not loaded. */
function PagePicture({ source, alt }: { readonly source: string; readonly alt: string }) {
  const picture = pictureOf(source);
  if (!picture) return <em>{alt}</em>;
  // The size is that of every picture of the guide: nothing moves when one comes.
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
