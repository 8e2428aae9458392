import { Check, Minus } from "lucide-react";
import { useMemo } from "react";
import { count } from "../../ui/text.ts";
import classes from "./catalogue.module.css";

interface ChooseAllProps {
  /** Of the stations that the list shows. */
  readonly ids: readonly string[];
  readonly chosen: readonly string[];
  readonly onChoose: (ids: readonly string[]) => void;
}

/** The box in the heading: chooses all that the list shows, or none of them. */
export function ChooseAll({ ids, chosen, onChoose }: ChooseAllProps) {
  const shownChosen = useMemo(() => {
    const set = new Set(chosen);
    return ids.reduce((sum, id) => sum + Number(set.has(id)), 0);
  }, [ids, chosen]);
  const isAll = shownChosen === ids.length;
  const label = `Select all ${count(ids.length)} in the list`;
  const toggle = (): void => {
    const shown = new Set(ids);
    onChoose(isAll ? chosen.filter((id) => !shown.has(id)) : [...chosen, ...ids]);
  };
  return (
    <button
      type="button"
      role="checkbox"
      aria-checked={isAll ? "true" : shownChosen > 0 ? "mixed" : "false"}
      aria-label={label}
      title={label}
      className={classes["chooseAll"]}
      onClick={toggle}
    >
      <span className={classes["tick"]}>{isAll ? <Check aria-hidden /> : <Minus aria-hidden />}</span>
    </button>
  );
}
