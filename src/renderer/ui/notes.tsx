import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { ProgressBar } from "react-aria-components";
import type { AppFault } from "#shared/fault.ts";
import classes from "./notes.module.css";

/** Shown in an empty view: what is missing, and what to do next. */
export function EmptyState({
  icon: Icon,
  ...props
}: {
  readonly icon?: LucideIcon;
  readonly title: string;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
}) {
  return (
    <div className={classes["empty"]}>
      {Icon ? <Icon aria-hidden /> : null}
      <h2 className="font-semibold">{props.title}</h2>
      {props.children ? <p className="max-w-[420px] text-quiet">{props.children}</p> : null}
      {props.actions ? <div className="flex flex-wrap justify-center gap-2 mt-2">{props.actions}</div> : null}
    </div>
  );
}

/** Shows a fault in place, with an optional button. */
export function FaultNote({ fault, action }: { readonly fault: AppFault; readonly action?: ReactNode }) {
  return (
    <div role="alert" className={classes["fault"]} data-kind={fault.kind}>
      <p className="flex-1 min-w-0 wrap-anywhere select-text">{fault.message}</p>
      {action}
    </div>
  );
}

/** A progress bar with text. `share` is 0 to 1, null if unknown. */
export function Progress(props: { readonly label: string; readonly share: number | null; readonly text: ReactNode }) {
  const { label, share, text } = props;
  return (
    <ProgressBar
      aria-label={label}
      {...(share === null ? { isIndeterminate: true } : { value: share * 100 })}
      className="stack gap-1"
    >
      {({ percentage }) => (
        <>
          <div className={`${classes["bar"]} h-1 rounded-[2px] bg-surface-3 overflow-hidden`}>
            <div className={classes["fill"]} style={{ width: `${percentage ?? 100}%` }} />
          </div>
          <span className="caption">{text}</span>
        </>
      )}
    </ProgressBar>
  );
}

/** A keyboard shortcut. */
export function Keys({ keys }: { readonly keys: string }) {
  return (
    <span className="inline-flex gap-[3px]">
      {keys.split(" ").map((key) => (
        <kbd key={key} className={classes["kbd"]}>
          {key}
        </kbd>
      ))}
    </span>
  );
}
