import type { ReactNode } from "react";
import classes from "./room.module.css";

/** A page of text and controls that scrolls by itself. */
export function Room({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    // Scrolled with the keyboard too.
    <div className={classes["room"]} role="region" aria-label={title} tabIndex={0}>
      <div className={classes["page"]}>
        <h2 className={classes["title"]}>{title}</h2>
        {children}
      </div>
    </div>
  );
}

export function RoomSection({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section aria-label={title} className={classes["section"]}>
      <h3 className={classes["heading"]}>{title}</h3>
      {children}
    </section>
  );
}
