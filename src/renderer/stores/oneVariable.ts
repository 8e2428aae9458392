import { useLayoutEffect } from "react";
import { z } from "zod";
import { create } from "zustand";
import { type Variable, VARIABLE_NAMES } from "#shared/service/variables.ts";
import { pane, usePane } from "./pane.ts";
import { useWorkspace } from "./workspace.ts";

/** What the chips choose while a view shows one variable: the view, not the selection. */
export interface OneVariable {
  readonly offered: readonly Variable[];
  /** null until the view is there. */
  readonly shown: Variable | null;
  readonly choose: (variable: Variable) => void;
}

/** null while the view shows all selected variables. */
export const useOneVariable = create<{ readonly view: OneVariable | null }>(() => ({ view: null }));

/** The one that the user chose last; null: the first selected. */
const SHOWN = pane("variable", z.enum(VARIABLE_NAMES).nullable().catch(null));

export function showOne(variable: Variable): void {
  SHOWN.set(variable);
}

/**
 * Makes the chips above the views choose the one variable that the caller shows, while it is there.
 *
 * @param offered the same array in each render
 * @param chosen what else a choice changes; the same function in each render
 */
export function useChips<V extends Variable>(offered: readonly V[], chosen?: () => void): V {
  const [wanted] = usePane(SHOWN);
  const selected = useWorkspace((s) => s.variables);
  const isOffered = (variable: Variable | null | undefined): variable is V =>
    (offered as readonly unknown[]).includes(variable);
  const shown = isOffered(wanted) ? wanted : (selected.find(isOffered) ?? offered[0]);
  if (shown === undefined) throw new Error("A view offers at least one variable.");
  useLayoutEffect(() => {
    const choose = (variable: Variable): void => {
      showOne(variable);
      chosen?.();
    };
    useOneVariable.setState({ view: { offered, shown, choose } });
    return () => useOneVariable.setState({ view: null });
  }, [offered, shown, chosen]);
  return shown;
}
