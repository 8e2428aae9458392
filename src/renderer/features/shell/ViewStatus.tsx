import { useEffect, useRef, useState } from "react";

/**
 * Announces a view that a command showed while the focus stayed elsewhere, such as in the station list. If the focus
 * moved into the view or along the navigation, a screen reader announces the element with the focus.
 */
export function ViewStatus({ title }: { readonly title: string }) {
  const [said, setSaid] = useState("");
  const shown = useRef(title);
  useEffect(() => {
    if (shown.current === title) return;
    shown.current = title;
    // The focus of a removed view moves in the same task.
    const frame = requestAnimationFrame(() => setSaid(isToldByFocus() ? "" : title));
    return () => cancelAnimationFrame(frame);
  }, [title]);
  return (
    <p role="status" className="visually-hidden">
      {said}
    </p>
  );
}

function isToldByFocus(): boolean {
  return document.activeElement?.matches("[data-view],[data-view] [role=tab],nav [role=radio]") ?? false;
}
