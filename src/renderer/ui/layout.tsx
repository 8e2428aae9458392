import { Fragment, type ReactNode } from "react";
import factClasses from "./facts.module.css";
import noWrapClasses from "./noWrapParts.module.css";

interface PageProps {
  readonly title: string;
  /** For a table, which takes more room than lines of text. */
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

/** A scrollable page of text and controls. */
export function Page({ title, isWide = false, children }: PageProps) {
  return (
    <div className="scroll h-full" role="region" aria-label={title} data-view={title}>
      <div className="max-w-[800px] px-8 pt-6 pb-16 data-wide:max-w-[1200px]" data-wide={isWide || undefined}>
        {/* Where the focus goes that a command moves here: the keys scroll the page then. */}
        <h2 data-main tabIndex={-1} className="w-fit text-large leading-6">
          {title}
        </h2>
        {children}
      </div>
    </div>
  );
}

export function PageSection({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section aria-label={title} className="mt-6">
      <h3 className="caption mb-2 pb-1 border-b border-line">{title}</h3>
      {children}
    </section>
  );
}

/** A text with a control at its right. */
export function TextRow({ text, children }: { readonly text: ReactNode; readonly children?: ReactNode }) {
  return (
    <div className="row flex-wrap justify-between gap-x-10 gap-y-2 py-1.5">
      <p className="flex-[1_1_240px] min-w-0 text-quiet">{text}</p>
      {children}
    </div>
  );
}

interface Fact {
  readonly label: string;
  readonly value: ReactNode;
}

/** Names and values in two columns. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl>
      {facts.map(({ label, value }) => (
        <div
          key={label}
          className={`${factClasses["fact"]} grid grid-cols-[minmax(96px,144px)_minmax(0,1fr)] gap-4 py-1 border-b border-line`}
        >
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface NoWrapPartsProps {
  readonly text: string;
  /** Lines may break only at its space. */
  readonly separator: " · " | " ";
}

/**
 * A text that wraps only between its parts, never inside a date, which a browser would break at a hyphen. A separator
 * is only visible between parts of one line.
 */
export function NoWrapParts({ text, separator }: NoWrapPartsProps) {
  const sign = separator.trim();
  return (
    <span className={noWrapClasses["lines"]} data-separated={sign === "" ? undefined : true}>
      <span>
        {text.split(separator).map((part, i) => (
          <Fragment key={`${i} ${part}`}>
            {i > 0 ? " " : ""}
            <span className={noWrapClasses["part"]}>
              {i > 0 && sign !== "" ? <span>{sign}</span> : null}
              {i > 0 && sign !== "" ? ` ${part}` : part}
            </span>
          </Fragment>
        ))}
      </span>
    </span>
  );
}
