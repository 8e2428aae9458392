import { lazy, Suspense } from "react";
import { Dialog } from "../../ui/Dialog.tsx";
import { closeAnimation, closeFigure, useAnimation, useFigure } from "./open.ts";

/** Loaded on demand, to keep the start of the window fast. */
const FigureForm = lazy(async () => ({ default: (await import("./FigureForm.tsx")).FigureForm }));

/** Dialog for size, style and format of a figure, with a preview. */
export function FigureDialog() {
  const source = useFigure((s) => s.source);
  return (
    <Dialog title="Save figure" isOpen={source !== null} onClose={closeFigure} wide>
      <Suspense fallback={<p role="status">Opening the dialog…</p>}>
        {source === null ? null : <FigureForm source={source} />}
      </Suspense>
    </Dialog>
  );
}

/** Loaded on demand, to keep the start of the window fast. */
const AnimationForm = lazy(async () => ({ default: (await import("./AnimationForm.tsx")).AnimationForm }));

/** Dialog for step, speed, size and format of an animation. */
export function AnimationDialog() {
  const source = useAnimation((s) => s.source);
  return (
    <Dialog title="Save animation" isOpen={source !== null} onClose={closeAnimation} wide>
      <Suspense fallback={<p role="status">Opening the dialog…</p>}>
        {source === null ? null : <AnimationForm source={source} />}
      </Suspense>
    </Dialog>
  );
}
