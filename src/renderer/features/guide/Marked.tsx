import { marked } from "./search.ts";

/** Text with the words that are looked for marked in it. */
export function Marked({ text, words }: { readonly text: string; readonly words: readonly string[] }) {
  let at = 0;
  return marked(text, words).map((piece) => {
    const key = at;
    at += piece.text.length;
    return piece.isHit ? <mark key={key}>{piece.text}</mark> : <span key={key}>{piece.text}</span>;
  });
}
