import { X } from "lucide-react";
import { type RefObject, useLayoutEffect, useRef } from "react";
import { closeToast, holdToasts, useToasts } from "../../stores/toasts.ts";
import { Button, IconButton } from "../../ui/Button.tsx";
import classes from "./shell.module.css";

/** Short messages at the edge of the window. */
export function Toasts() {
  const toasts = useToasts((s) => s.toasts);
  const section = useRef<HTMLElement>(null);
  useRoomFor(section, toasts.length > 0);
  const cameFrom = useRef<HTMLElement>(null);
  // A message that goes with the focus on it tells no one that the focus has gone.
  useLayoutEffect(() => {
    if (section.current?.matches(":hover, :focus-within")) return;
    holdToasts(false);
    if (document.activeElement === document.body) cameFrom.current?.focus();
    cameFrom.current = null;
  }, [toasts]);
  return (
    <section
      ref={section}
      aria-label="Messages"
      className={classes["toasts"]}
      // A dialog keeps everything else from being read and reached; messages are no part of what it covers.
      data-react-aria-top-layer
      onMouseEnter={() => holdToasts(true)}
      onMouseLeave={() => holdToasts(false)}
      onFocus={({ relatedTarget }) => {
        holdToasts(true);
        if (relatedTarget instanceof HTMLElement && !section.current?.contains(relatedTarget))
          cameFrom.current = relatedTarget;
      }}
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

/** Says how much room the messages take: in a low window the views leave it to them. */
function useRoomFor(section: RefObject<HTMLElement | null>, isSome: boolean): void {
  useLayoutEffect(() => {
    const messages = section.current;
    const { style } = document.documentElement;
    if (!messages || !isSome) return;
    const measure = (): void => style.setProperty("--messages-room", `${messages.offsetHeight}px`);
    const sizes = new ResizeObserver(measure);
    sizes.observe(messages);
    measure();
    return () => {
      sizes.disconnect();
      style.removeProperty("--messages-room");
    };
  }, [section, isSome]);
}
