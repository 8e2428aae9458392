import type { ReactNode } from "react";
import { NoWrapParts } from "../../ui/layout.tsx";
import classes from "./jobs.module.css";
import { selectionWords } from "./labels.ts";

interface WorkItemProps {
  readonly state: string;
  /** An icon, or the button that shows details. */
  readonly lead: ReactNode;
  readonly title: string;
  readonly selection: Parameters<typeof selectionWords>[0];
  /** State, progress and results. */
  readonly children: ReactNode;
  /** A switch beside the results. */
  readonly option?: ReactNode;
  readonly actions: ReactNode;
  /** Shown below the line. */
  readonly details?: ReactNode;
}

/** A download or an export in the list. */
export function WorkItem({ state, lead, title, selection, children, option, actions, details }: WorkItemProps) {
  return (
    <li className={classes["item"]} data-state={state}>
      {/* Named, because the buttons of all items have the same names. */}
      <div role="group" aria-label={title} className={classes["head"]}>
        {lead}
        <div className={classes["what"]}>
          <span className="truncate font-medium" title={title}>
            {title}
          </span>
          <Line>
            <NoWrapParts text={selectionWords(selection)} separator=" · " />
          </Line>
        </div>
        <div className={classes["how"]}>{children}</div>
        {option}
        <div className={classes["actions"]}>{actions}</div>
      </div>
      {details}
    </li>
  );
}

/** A line of small text, cut at its end. */
export function Line({ title, children }: { readonly title?: string; readonly children: ReactNode }) {
  return (
    <span className="caption overflow-hidden leading-4.5 text-ellipsis" title={title}>
      {children}
    </span>
  );
}
