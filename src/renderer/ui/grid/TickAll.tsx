import { Check, Minus } from "lucide-react";
import { useMemo } from "react";
import { count } from "../text.ts";
import classes from "./grid.module.css";

interface TickAllProps {
  /** Ids of the listed rows. */
  readonly ids: readonly string[];
  readonly selectedIds: readonly string[];
  readonly onSelect: (ids: readonly string[]) => void;
}

/** The checkbox in a heading: selects or deselects all listed rows. */
export function TickAll({ ids, selectedIds, onSelect }: TickAllProps) {
  const selectedCount = useMemo(() => {
    const selected = new Set(selectedIds);
    return ids.reduce((sum, id) => sum + Number(selected.has(id)), 0);
  }, [ids, selectedIds]);
  const isAll = selectedCount === ids.length;
  const label = `Select all ${count(ids.length)} in the list`;
  const toggle = (): void => {
    const listed = new Set(ids);
    onSelect(isAll ? selectedIds.filter((id) => !listed.has(id)) : [...selectedIds, ...ids]);
  };
  return (
    <button
      type="button"
      role="checkbox"
      aria-checked={isAll ? "true" : selectedCount > 0 ? "mixed" : "false"}
      aria-label={label}
      title={label}
      className={classes["tickAll"]}
      onClick={toggle}
    >
      <span className={classes["tick"]}>{isAll ? <Check aria-hidden /> : <Minus aria-hidden />}</span>
    </button>
  );
}
