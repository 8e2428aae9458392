import { ArrowLeft, ArrowRight, X } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { IconButton } from "../../ui/Button.tsx";
import { SearchField } from "../../ui/fields.tsx";
import { Contents } from "./Contents.tsx";
import { FoundList } from "./FoundList.tsx";
import classes from "./guide.module.css";
import { closeGuide, useGuide } from "./open.ts";
import { Page, PAGE_ID } from "./Page.tsx";
import { canStep, step } from "./trail.ts";

const TYPING = "input, textarea";

function stepBy(steps: -1 | 1): void {
  useGuide.setState(({ trail }) => ({ trail: step(trail, steps) }));
}

/** Contents and search at the left, the page at the right. */
export function Guide() {
  const trail = useGuide((s) => s.trail);
  const visit = trail.visits[trail.at]!;
  const [query, setQuery] = useState("");
  const search = useRef<HTMLInputElement>(null);
  const isSearching = query.trim() !== "";
  const onKeyDown = (event: KeyboardEvent): void => {
    const isTyping = event.target instanceof Element && event.target.matches(TYPING);
    if (event.altKey && (event.key === "ArrowLeft" || event.key === "ArrowRight"))
      stepBy(event.key === "ArrowLeft" ? -1 : 1);
    else if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey) search.current?.focus();
    else return;
    // Else the browser goes back, out of the program.
    event.preventDefault();
  };
  const first = useRef<() => void>(null);
  useEffect(() => search.current?.focus(), []);
  return (
    // What its parts leave alone of the keys comes here.
    <div className={classes["guide"]} role="presentation" onKeyDown={onKeyDown}>
      <header className={classes["head"]}>
        <h2 className={classes["title"]}>User guide</h2>
        <IconButton label="Back, Alt ←" isDisabled={!canStep(trail, -1)} onPress={() => stepBy(-1)}>
          <ArrowLeft aria-hidden />
        </IconButton>
        <IconButton label="Forward, Alt →" isDisabled={!canStep(trail, 1)} onPress={() => stepBy(1)}>
          <ArrowRight aria-hidden />
        </IconButton>
        <span className={classes["spring"]} />
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
        {isSearching ? <FoundList query={query} focusFirst={first} /> : null}
        {/* Kept while one searches: it is as it was afterwards. */}
        <div className={classes["contents"]} hidden={isSearching}>
          <Contents visit={visit} />
        </div>
      </div>
      <Page visit={visit} />
    </div>
  );
}
