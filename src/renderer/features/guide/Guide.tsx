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
      <header className="row [grid-area:head] gap-1 pr-3 pl-6 border-b border-line">
        <h2 className="pr-3 text-large">User guide</h2>
        <IconButton label="Back, Alt ←" isDisabled={!canStep(trail, -1)} onPress={() => stepBy(-1)} icon={ArrowLeft} />
        <IconButton
          label="Forward, Alt →"
          isDisabled={!canStep(trail, 1)}
          onPress={() => stepBy(1)}
          icon={ArrowRight}
        />
        <span className="flex-1" />
        <IconButton label="Close the guide" onPress={closeGuide} icon={X} />
      </header>
      <div className={`${classes["side"]} stack [grid-area:side] min-h-0 border-r border-line bg-bg`}>
        <div className="p-3">
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
        <div className={`${classes["contents"]} scroll flex-1 min-h-0 px-3 pb-6`} hidden={isSearching}>
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
        <div key={title} role="group" aria-label={title} className="pb-3">
          <h3 className="px-2 py-1 text-faint text-tiny">{title}</h3>
          <ul className="list-none">
            {pages.map((id) => (
              <li key={id}>
                <Link
                  className={`${classes["entry"]} block px-2 py-1 rounded-box cursor-default -outline-offset-2`}
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
    <ul className="list-none">
      {headings.map(({ anchor, title }) => (
        <li key={anchor}>
          <Link
            className={`${classes["entry"]} caption block py-0.5 pr-2 pl-5 rounded-box cursor-default -outline-offset-2`}
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
