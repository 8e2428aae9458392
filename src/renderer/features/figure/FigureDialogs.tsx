import { lazy } from "react";
import { WindowDialog } from "../../ui/Dialog.tsx";

// Loaded on demand, to keep the start of the window fast.
const FigureForm = lazy(async () => ({ default: (await import("./FigureForm.tsx")).FigureForm }));
const AnimationForm = lazy(async () => ({ default: (await import("./AnimationForm.tsx")).AnimationForm }));

/** Dialogs for the look and format of a figure or an animation, with a preview. */
export function FigureDialogs() {
  return (
    <>
      <WindowDialog kind="figure" title="Save figure" wide>
        {({ source }) => <FigureForm source={source} />}
      </WindowDialog>
      <WindowDialog kind="animation" title="Save animation" wide>
        {({ source }) => <AnimationForm source={source} />}
      </WindowDialog>
    </>
  );
}
