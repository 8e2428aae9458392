import { ArrowLeft, ArrowRight, X } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { IconButton } from "../../ui/Button.tsx";
import { SearchField } from "../../ui/fields.tsx";
import { SearchResults } from "./SearchResults.tsx";
import classes from "./guide.module.css";
import { canStep, closeGuide, openGuide, step, useGuide, type Visit } from "./open.ts";
import { Page, PAGE_ID } from "./Page.tsx";
import { Link } from "react-aria-components";
import { CONTENTS, PAGES } from "./pages.ts";

const TYPING = "input, textarea";

function stepBy(steps: -1 | 1): void {
  useGuide.setState(({ trail }) => ({ trail: step(trail, steps) }));
}

/** Table of contents and search on the left, the page on the right. */
export function Guide() {
  const trail = useGuide((s) => s.trail);
  const { visit } = trail;
  const [query, setQuery] = useState("");
  const search = useRef<HTMLInputElement>(null);
  const isSearching = query.trim() !== "";
  const onKeyDown = (event: KeyboardEvent): void => {
    const isTyping = event.target instanceof Element && event.target.matches(TYPING);
    if (event.altKey && (event.key === "ArrowLeft" || event.key === "ArrowRight"))
      stepBy(event.key === "ArrowLeft" ? -1 : 1);
    else if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey) search.current?.focus();
    else return;
    // Otherwise the browser would navigate away from the window.
    event.preventDefault();
  };
  const first = useRef<() => void>(null);
  useEffect(() => search.current?.focus(), []);
  return (
    // Receives the keys that its parts do not handle.
    <div className={classes["guide"]} role="presentation" onKeyDown={onKeyDown}>
      <header className={classes["head"]}>
        <h2 className={classes["title"]}>User guide</h2>
        <IconButton label="Back, Alt ←" isDisabled={!canStep(trail, -1)} onPress={() => stepBy(-1)}>
          <ArrowLeft aria-hidden />
        </IconButton>
        <IconButton label="Forward, Alt →" isDisabled={!canStep(trail, 1)} onPress={() => stepBy(1)}>
          <ArrowRight aria-hidden />
        </IconButton>
        <span className="spring" />
        <IconButton label="Close the guide" onPress={closeGuide}>
          <X aria-hidden />
        </IconButton>
      </header>
      <div className={classes["side"]}>
        <div className={classes["search"]}>
          <SearchField
            label="Search the guide"
            value={query}
            onChange={setQuery}
            inputRef={search}
            onKeyDown={(event) => {
              if (event.key !== "Enter" && event.key !== "ArrowDown") event.continuePropagation();
              else if (isSearching) first.current?.();
              else document.getElementById(PAGE_ID)?.focus();
            }}
          />
        </div>
        {isSearching ? <SearchResults query={query} focusFirst={first} /> : null}
        {/* Only hidden during a search, to keep its scroll position. */}
        <div className={classes["contents"]} hidden={isSearching}>
          <Contents visit={visit} />
        </div>
      </div>
      <Page visit={visit} />
    </div>
  );
}

/** Links to all pages, and to the headings of the current one. */
function Contents({ visit }: { readonly visit: Visit }) {
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    const current = nav.current?.querySelectorAll("[aria-current]");
    // The last current entry is the heading, if there is one, else the page.
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
                  className={classes["entry"]}
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
