import { type RefObject, useImperativeHandle, useMemo, useRef } from "react";
import { ListBox, ListBoxItem } from "react-aria-components";
import { many } from "../../ui/text.ts";
import { type PageId, PAGES } from "./pages.ts";
import classes from "./guide.module.css";
import { openGuide } from "./open.ts";
import { highlighted, searchGuide, wordsOf } from "./search.ts";

/** The sections of all pages that match a query. */
export function SearchResults(props: {
  readonly query: string;
  /** Set to a function that moves the focus from the search field into the list. */
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
        {found.length === 0 ? "No page contains all of these words." : many(found.length, "result")}
      </p>
      <ListBox
        ref={list}
        aria-label="Found in the guide"
        className={classes["found"]}
        items={found.map((one) => ({ ...one, id: `${one.page}#${one.section.anchor ?? ""}` }))}
        dependencies={[query]}
        onAction={(key) => {
          const [page, anchor] = String(key).split("#");
          openGuide(page as PageId, anchor || null);
        }}
      >
        {({ id, pageTitle, section, excerpt }) => (
          <ListBoxItem id={id} textValue={section.title} className={classes["foundItem"]}>
            <span className={classes["foundTitle"]}>
              <Highlighted text={section.title} words={words} />
            </span>
            {section.anchor === null ? null : <span className={classes["foundPage"]}>{pageTitle}</span>}
            <span className={classes["foundText"]}>
              <Highlighted text={excerpt} words={words} />
            </span>
          </ListBoxItem>
        )}
      </ListBox>
    </>
  );
}

/** Text with the matched words highlighted. */
function Highlighted({ text, words }: { readonly text: string; readonly words: readonly string[] }) {
  let at = 0;
  return highlighted(text, words).map((part) => {
    const key = at;
    at += part.text.length;
    return part.isMatch ? <mark key={key}>{part.text}</mark> : <span key={key}>{part.text}</span>;
  });
}
