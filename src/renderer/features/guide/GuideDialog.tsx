import { lazy, Suspense } from "react";
import { Dialog } from "react-aria-components";
import { Overlay } from "../../ui/Dialog.tsx";
import floating from "../../ui/floating.module.css";
import { closeGuide, useGuide } from "./open.ts";

/** The pages and their renderer are loaded when the guide is first opened, so that the window starts without them. */
const Guide = lazy(async () => {
  try {
    return { default: (await import("./Guide.tsx")).Guide };
  } catch {
    // The program was updated while the window was open; the rest of the window keeps working.
    return { default: Unreadable };
  }
});

function Unreadable() {
  return (
    <p role="alert" className="p-6 text-quiet">
      The guide cannot be loaded because the program was updated. Reload the window.
    </p>
  );
}

/** The user guide, which opens over everything else, including dialogs and the first screen. */
export function GuideDialog() {
  const isOpen = useGuide((s) => s.isOpen);
  return (
    <Overlay
      isOpen={isOpen}
      onClose={closeGuide}
      scrim={`${floating["scrim"]} ${floating["filled"]}`}
      modal={`${floating["modal"]} ${floating["filling"]}`}
    >
      <Dialog aria-label="User guide" className="flex-1 min-w-0 outline-none">
        <Suspense
          fallback={
            <p role="status" className="p-6 text-quiet">
              Opening the guide…
            </p>
          }
        >
          <Guide />
        </Suspense>
      </Dialog>
    </Overlay>
  );
}
