import { X } from "lucide-react";
import { closeToast, holdToasts, useToasts } from "../../stores/toasts.ts";
import { Button, IconButton } from "../../ui/Button.tsx";
import classes from "./shell.module.css";

/** Short messages at the edge of the window. */
export function Toasts() {
  const toasts = useToasts((s) => s.toasts);
  return (
    <section
      aria-label="Messages"
      className={classes["toasts"]}
      // A dialog keeps everything else from being read and reached; messages are no part of what it covers.
      data-react-aria-top-layer
      onMouseEnter={() => holdToasts(true)}
      onMouseLeave={() => holdToasts(false)}
      onFocus={() => holdToasts(true)}
      onBlur={() => holdToasts(false)}
    >
      <div role="status" aria-live="polite" className={classes["messages"]}>
        {toasts.map(({ id, kind, text, action }) => (
          <div key={id} className={classes["toast"]} data-kind={kind}>
            <span className={classes["toastText"]}>{text}</span>
            {action ? (
              <Button
                look="quiet"
                onPress={() => {
                  action.run();
                  closeToast(id);
                }}
              >
                {action.label}
              </Button>
            ) : null}
            <IconButton label="Close" onPress={() => closeToast(id)}>
              <X aria-hidden />
            </IconButton>
          </div>
        ))}
      </div>
    </section>
  );
}
