import { lazy, Suspense } from "react";
import { Dialog } from "../../ui/Dialog.tsx";
import { closeFigure, useFigure } from "./open.ts";

/** Read when a figure is saved: the window starts without it. */
const FigureForm = lazy(async () => ({ default: (await import("./FigureForm.tsx")).FigureForm }));

/** Size, look and format of a figure, with a preview, over the plot that it is of. */
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
