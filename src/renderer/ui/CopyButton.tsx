import { type ReactNode, useState } from "react";
import { Button } from "./Button.tsx";

/** Copies a text, and says whether that worked. */
export function CopyButton({ text, children }: { readonly text: () => string; readonly children: ReactNode }) {
  const [said, setSaid] = useState<string | null>(null);
  const copy = async (): Promise<void> => {
    const isCopied = await navigator.clipboard.writeText(text()).then(
      () => true,
      () => false,
    );
    setSaid(isCopied ? "Copied" : "The clipboard is unavailable: select the text instead");
  };
  return (
    <Button onPress={() => void copy()}>
      {/* Not role="status": a button would have no name by it. */}
      <span aria-live="polite">{said ?? children}</span>
    </Button>
  );
}
