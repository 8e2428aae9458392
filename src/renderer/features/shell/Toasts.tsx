import { X } from "lucide-react";
import { useLayoutEffect, useRef } from "react";
import { closeToast, holdToasts, useToasts } from "../../stores/toasts.ts";
import { IconButton, QuietButton } from "../../ui/Button.tsx";
import classes from "./shell.module.css";

/** Short messages at the edge of the window. */
export function Toasts() {
  const toasts = useToasts((s) => s.toasts);
  const section = useRef<HTMLElement>(null);
  // React does not report that the focus is lost with a removed message.
  useLayoutEffect(() => {
    if (!section.current?.matches(":hover, :focus-within")) holdToasts(false);
  }, [toasts]);
  return (
    <section
      ref={section}
      aria-label="Messages"
      className={classes["toasts"]}
      // Keeps messages readable and reachable while a dialog hides the rest of the window.
      data-react-aria-top-layer
      onMouseEnter={() => holdToasts(true)}
      onMouseLeave={() => holdToasts(false)}
      onFocus={() => holdToasts(true)}
      onBlur={() => holdToasts(false)}
    >
      <div role="status" aria-live="polite" className={classes["messages"]}>
        {toasts.map(({ id, kind, text, action }) => (
          <div key={id} data-message className={classes["toast"]} data-kind={kind}>
            <span className="flex-1 min-w-0 wrap-anywhere">{text}</span>
            {action ? (
              <QuietButton
                label={action.label}
                onPress={() => {
                  action.run();
                  closeToast(id);
                }}
              />
            ) : null}
            <IconButton label="Close" onPress={() => closeToast(id)} icon={X} />
          </div>
        ))}
      </div>
    </section>
  );
}
