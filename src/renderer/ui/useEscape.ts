import { type RefObject, useEffect, useRef } from "react";
import { uppermostModal } from "./uppermostModal.ts";

/** What stays in reach over any overlay. */
const MESSAGES = "[data-react-aria-top-layer]";

/**
 * Esc closes an overlay also while nothing in it has the focus: what had it may just have been removed, or a message
 * has it, and then the key reaches the page and not the overlay. Of several overlays only the uppermost is closed.
 * @returns to be set on the overlay, which carries `data-modal`
 */
export function useEscape(isOpen: boolean, onClose: () => void): RefObject<HTMLDivElement | null> {
  const overlay = useRef<HTMLDivElement>(null);
  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  });
  useEffect(() => {
    if (!isOpen) return;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== "Escape" || !(event.target instanceof Element)) return;
      if (event.target !== document.body && !event.target.closest(MESSAGES)) return;
      if (uppermostModal() === overlay.current) close.current();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [isOpen]);
  return overlay;
}
