import type { ReactNode } from "react";
import classes from "./page.module.css";

/** A scrollable page of text and controls. */
export function Page({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    // Focusable, so that it can be scrolled with the keyboard.
    <div className={classes["scroll"]} role="region" aria-label={title} tabIndex={0} data-view={title}>
      <div className={classes["page"]}>
        <h2 className={classes["title"]}>{title}</h2>
        {children}
      </div>
    </div>
  );
}

export function PageSection({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section aria-label={title} className={classes["section"]}>
      <h3 className={classes["heading"]}>{title}</h3>
      {children}
    </section>
  );
}
