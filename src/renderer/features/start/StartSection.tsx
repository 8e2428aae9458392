import { type ReactNode, useId } from "react";
import classes from "./start.module.css";

interface StartSectionProps {
  readonly title: string;
  readonly isCard?: boolean;
  readonly children: ReactNode;
}

/** A section of the first screen. */
export function StartSection({ title, isCard = false, children }: StartSectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={isCard ? classes["card"] : undefined}>
      <h2 id={id} className="text-large leading-6">
        {title}
      </h2>
      {children}
    </section>
  );
}
