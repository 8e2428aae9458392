import type { LucideIcon } from "lucide-react";
import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { ProgressBar } from "react-aria-components";
import type { AppFault } from "#shared/fault.ts";
import { QuietButton } from "./Button.tsx";
import { Flyout } from "./Flyout.tsx";
import classes from "./notes.module.css";
import { followSize } from "./useSize.ts";

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
      <h3 className="font-semibold">{props.title}</h3>
      {props.children ? <p className="max-w-[420px] text-quiet">{props.children}</p> : null}
      {props.actions ? <div className="flex flex-wrap justify-center gap-2 mt-2">{props.actions}</div> : null}
    </div>
  );
}

interface FaultProps {
  readonly fault: AppFault;
  /** A button. */
  readonly action?: ReactNode;
}

/** Shows a fault in place of content, or in a page or dialog that scrolls. */
export function FaultNote({ fault, action }: FaultProps) {
  return (
    <div role="alert" className={classes["fault"]} data-kind={fault.kind}>
      <p className="flex-1 min-w-0 wrap-anywhere select-text">{fault.message}</p>
      {action}
    </div>
  );
}

/**
 * A fault in a view whose content remains: in one line of fixed height, so that it covers and moves nothing that is read. A
 * message that is cut opens on request.
 */
export function FaultStrip({ fault, action }: FaultProps) {
  const text = useRef<HTMLParagraphElement>(null);
  const [isCut, setCut] = useState(false);
  useLayoutEffect(() => {
    const { current } = text;
    return current ? followSize(current, () => setCut(current.scrollWidth > current.clientWidth)) : undefined;
  }, [fault.message]);
  return (
    <div role="alert" className={`${classes["fault"]} ${classes["strip"]}`} data-kind={fault.kind}>
      <p ref={text} className="truncate select-text">
        {fault.message}
      </p>
      {isCut ? (
        <Flyout label="The whole message" placement="bottom end" button={<QuietButton label="Show all" />}>
          <p className="max-w-[420px] wrap-anywhere select-text">{fault.message}</p>
        </Flyout>
      ) : null}
      {action}
    </div>
  );
}

/** Lines over the upper right corner of the content that follows, for what comes and goes by itself: they move nothing. */
export function Over({ children }: { readonly children: ReactNode }) {
  return (
    <div className={`${classes["over"]} relative z-3 flex-none h-0 text-quiet`}>
      <div className="absolute top-0 right-3 stack items-end max-w-[calc(100%-280px)] *:max-w-full bg-surface">
        {children}
      </div>
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
