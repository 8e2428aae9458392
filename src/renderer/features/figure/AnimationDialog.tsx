import { lazy, Suspense } from "react";
import { Dialog } from "../../ui/Dialog.tsx";
import { closeAnimation, useAnimation } from "./animation.ts";

/** Read when an animation is saved: the window starts without it. */
const AnimationForm = lazy(async () => ({ default: (await import("./AnimationForm.tsx")).AnimationForm }));

/** Step, speed, size and format of an animation, over the view that it is of. */
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
