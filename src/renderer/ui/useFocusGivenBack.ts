import { type RefObject, useLayoutEffect } from "react";

/** What closes around the focus leaves it where it is opened from: at the button with this id. */
export function useFocusGivenBack(pane: RefObject<HTMLElement | null>, buttonId: string): void {
  useLayoutEffect(() => {
    const section = pane.current;
    return () => {
      if (section?.contains(document.activeElement)) document.getElementById(buttonId)?.focus();
    };
  }, [pane, buttonId]);
}
