import { lazy, Suspense } from "react";
import { Dialog } from "../../ui/Dialog.tsx";
import { closeFigure, useFigure } from "./open.ts";

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
