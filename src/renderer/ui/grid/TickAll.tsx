import { Check, Minus } from "lucide-react";
import { useMemo } from "react";
import { count } from "../text.ts";
import classes from "./grid.module.css";

interface TickAllProps {
  /** Ids of the listed rows. */
  readonly ids: readonly string[];
  readonly selectedIds: readonly string[];
  readonly onSelect: (ids: readonly string[]) => void;
  /** Whether a press while any row is selected, listed or not, clears the selection. */
  readonly clears?: boolean;
}

/** The box in a heading: selects or deselects all listed rows. */
export function TickAll({ ids, selectedIds, onSelect, clears = false }: TickAllProps) {
  const selectedCount = useMemo(() => {
    const selected = new Set(selectedIds);
    return ids.reduce((sum, id) => sum + Number(selected.has(id)), 0);
  }, [ids, selectedIds]);
  const isAll = selectedCount === ids.length;
  const isClear = clears && selectedIds.length > 0;
  const label = isClear ? "Clear selection" : `Select all ${count(ids.length)} in the list`;
  const state = isAll ? "true" : isClear || selectedCount > 0 ? "mixed" : "false";
  const toggle = (): void => {
    if (isClear) return onSelect([]);
    const listed = new Set(ids);
    onSelect(isAll ? selectedIds.filter((id) => !listed.has(id)) : [...selectedIds, ...ids]);
  };
  return (
    <button
      type="button"
      // A button that clears is not a checkbox: that would become checked.
      {...(clears ? {} : ({ role: "checkbox", "aria-checked": state } as const))}
      data-state={state}
      aria-label={label}
      title={label}
      className={classes["tickAll"]}
      onClick={toggle}
    >
      <span className={classes["tick"]}>{isAll ? <Check aria-hidden /> : <Minus aria-hidden />}</span>
    </button>
  );
}
