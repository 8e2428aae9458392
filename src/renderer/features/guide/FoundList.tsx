import { type RefObject, useImperativeHandle, useMemo, useRef } from "react";
import { ListBox, ListBoxItem } from "react-aria-components";
import { many } from "../../ui/text.ts";
import type { PageId } from "./contents.ts";
import classes from "./guide.module.css";
import { openGuide } from "./open.ts";
import { PAGES } from "./pages.ts";
import { searchGuide, wordsOf, marked } from "./search.ts";

/** Where the words of the query stand, over all pages. */
export function FoundList(props: {
  readonly query: string;
  /** Set to what brings the focus from the field into the list. */
  readonly focusFirst: RefObject<(() => void) | null>;
}) {
  const { query, focusFirst } = props;
  const found = useMemo(() => searchGuide(PAGES, query), [query]);
  const words = wordsOf(query);
  const list = useRef<HTMLDivElement>(null);
  useImperativeHandle(focusFirst, () => () => list.current?.querySelector<HTMLElement>("[role=option]")?.focus());
  return (
    <>
      <p role="status" className={classes["status"]}>
        {found.length === 0 ? "No page has all of these words." : many(found.length, "place")}
      </p>
      <ListBox
        ref={list}
        aria-label="Found in the guide"
        className={classes["found"]!}
        items={found.map((one) => ({ ...one, id: `${one.page}#${one.section.anchor ?? ""}` }))}
        dependencies={[query]}
        onAction={(key) => {
          const [page, anchor] = String(key).split("#");
          openGuide(page as PageId, anchor || null);
        }}
      >
        {({ id, pageTitle, section, excerpt }) => (
          <ListBoxItem id={id} textValue={section.title} className={classes["foundItem"]!}>
            <span className={classes["foundTitle"]}>
              <Marked text={section.title} words={words} />
            </span>
            {section.anchor === null ? null : <span className={classes["foundPage"]}>{pageTitle}</span>}
            <span className={classes["foundText"]}>
              <Marked text={excerpt} words={words} />
            </span>
          </ListBoxItem>
        )}
      </ListBox>
    </>
  );
}

/** Text with the words that are looked for marked in it. */
function Marked({ text, words }: { readonly text: string; readonly words: readonly string[] }) {
  let at = 0;
  return marked(text, words).map((piece) => {
    const key = at;
    at += piece.text.length;
    return piece.isHit ? <mark key={key}>{piece.text}</mark> : <span key={key}>{piece.text}</span>;
  });
}
