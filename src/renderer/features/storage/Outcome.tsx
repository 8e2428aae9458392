import type { AppFault } from "#shared/fault.ts";
import { FaultNote } from "../../ui/notes.tsx";
import classes from "./storage.module.css";

interface OutcomeProps {
  readonly fault: AppFault | null;
  readonly text: string | null;
  /** Whether the text says that something is wrong. */
  readonly isBad?: boolean;
}

/** How an operation ended. */
export function Outcome({ fault, text, isBad = false }: OutcomeProps) {
  return (
    <>
      {fault ? <FaultNote fault={fault} /> : null}
      <p role="status" className={classes["said"]} data-bad={isBad || undefined}>
        {text}
      </p>
    </>
  );
}
