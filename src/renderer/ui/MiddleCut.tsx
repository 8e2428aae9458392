import { memo, type ReactNode } from "react";

/** Names often differ at their end ("Mast 007 Kuninkaankoski, roof"), which therefore stays visible. */
const TAIL = 8;

/** A name that loses its middle where there is too little room for it. */
export function middleCut(text: string): ReactNode {
  const letters = Array.from(text);
  if (letters.length <= 2 * TAIL) return <span className="truncate">{text}</span>;
  return (
    // One text, not two: in a flex box they would be read, found and copied as two words.
    <span
      className="middle-cut"
      title={text}
      data-head={letters.slice(0, -TAIL).join("")}
      data-tail={letters.slice(-TAIL).join("")}
    >
      <span>{text}</span>
    </span>
  );
}

/** `middleCut` beside values that change with every movement. */
export const MiddleCut = memo(({ text }: { readonly text: string }) => middleCut(text));
