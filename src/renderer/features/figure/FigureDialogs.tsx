import { lazy, Suspense } from "react";
import { WindowDialog } from "../../ui/Dialog.tsx";

/** Loaded on demand, to keep the start of the window fast. */
const FigureForm = lazy(async () => ({ default: (await import("./FigureForm.tsx")).FigureForm }));

/** Dialog for size, style and format of a figure, with a preview. */
export function FigureDialog() {
  return (
    <WindowDialog kind="figure" title="Save figure" wide>
      {({ source }, close) => (
        <Suspense fallback={<p role="status">Opening the dialog…</p>}>
          <FigureForm source={source} onClose={close} />
        </Suspense>
      )}
    </WindowDialog>
  );
}

/** Loaded on demand, to keep the start of the window fast. */
const AnimationForm = lazy(async () => ({ default: (await import("./AnimationForm.tsx")).AnimationForm }));

/** Dialog for step, speed, size and format of an animation. */
export function AnimationDialog() {
  return (
    <WindowDialog kind="animation" title="Save animation" wide>
      {({ source }, close) => (
        <Suspense fallback={<p role="status">Opening the dialog…</p>}>
          <AnimationForm source={source} onClose={close} />
        </Suspense>
      )}
    </WindowDialog>
  );
}
