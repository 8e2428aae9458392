/** Names often differ at their end ("Mast 007 Kuninkaankoski, roof"), which therefore stays visible. */
const TAIL = 8;

/** A name that loses its middle where there is too little room for it. */
export function MiddleCut({ text }: { readonly text: string }) {
  const letters = Array.from(text);
  if (letters.length <= 2 * TAIL) return <span className="truncate">{text}</span>;
  return (
    <span className="middle-cut" title={text}>
      <span>{letters.slice(0, -TAIL).join("")}</span>
      <span>{letters.slice(-TAIL).join("")}</span>
    </span>
  );
}
