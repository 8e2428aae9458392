import { useEffect, useRef } from "react";
import { Link } from "react-aria-components";
import { CONTENTS } from "./contents.ts";
import classes from "./guide.module.css";
import { openGuide } from "./open.ts";
import { PAGES } from "./pages.ts";
import type { Visit } from "./trail.ts";

/** Every page by its title, and the headings of the one that is shown. */
export function Contents({ visit }: { readonly visit: Visit }) {
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    const current = nav.current?.querySelectorAll("[aria-current]");
    // The heading where there is one, else the page.
    current?.item(current.length - 1)?.scrollIntoView({ block: "nearest" });
  }, [visit]);
  return (
    <nav ref={nav} aria-label="Pages of the guide">
      {CONTENTS.map(({ title, pages }) => (
        <div key={title} role="group" aria-label={title} className={classes["group"]}>
          <h3 className={classes["groupTitle"]}>{title}</h3>
          <ul className={classes["list"]}>
            {pages.map((id) => (
              <li key={id}>
                <Link
                  className={classes["entry"]!}
                  {...(id === visit.page ? { "aria-current": "page" } : {})}
                  onPress={() => openGuide(id)}
                >
                  {PAGES.get(id)?.title}
                </Link>
                {id === visit.page ? <Headings visit={visit} /> : null}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

function Headings({ visit }: { readonly visit: Visit }) {
  const headings = PAGES.get(visit.page)?.sections.filter(({ anchor }) => anchor !== null) ?? [];
  return (
    <ul className={classes["list"]}>
      {headings.map(({ anchor, title }) => (
        <li key={anchor}>
          <Link
            className={`${classes["entry"]} ${classes["heading"]}`}
            {...(anchor === visit.anchor ? { "aria-current": "location" } : {})}
            onPress={() => openGuide(visit.page, anchor)}
          >
            {title}
          </Link>
        </li>
      ))}
    </ul>
  );
}
