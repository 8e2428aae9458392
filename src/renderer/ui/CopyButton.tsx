import { type ReactNode, useState } from "react";
import { Button } from "./Button.tsx";

/** Copies a text and shows whether that succeeded. */
export function CopyButton({ text, children }: { readonly text: () => string; readonly children: ReactNode }) {
  const [message, setMessage] = useState<string | null>(null);
  const copy = async (): Promise<void> => {
    const isCopied = await navigator.clipboard.writeText(text()).then(
      () => true,
      () => false,
    );
    setMessage(isCopied ? "Copied" : "The clipboard is unavailable: select the text instead");
  };
  return (
    <Button onPress={() => void copy()}>
      {/* Not role="status", whose text does not count as the button's accessible name. */}
      <span aria-live="polite">{message ?? children}</span>
    </Button>
  );
}
