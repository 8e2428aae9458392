import { lazy, Suspense } from "react";
import { Dialog } from "../../ui/Dialog.tsx";
import { closeAnimation, useAnimation } from "./animation.ts";

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
