import { useLayoutEffect } from "react";
import { z } from "zod";
import { create } from "zustand";
import type { JobSpec } from "#shared/job/job.ts";
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

interface OneVariableStore {
  /** null while the view shows all selected variables. */
  readonly view: OneVariable | null;
  /** What the view shows, if that is less than the selection; null otherwise. */
  readonly spec: JobSpec | null;
}

export const useOneVariable = create<OneVariableStore>(() => ({ view: null, spec: null }));

/** Makes the bar above the views fetch what the caller shows, while it is there, instead of the selection. */
export function useBarFetches(spec: JobSpec): void {
  const key = JSON.stringify(spec);
  useLayoutEffect(() => {
    useOneVariable.setState({ spec: JSON.parse(key) as JobSpec });
    return () => useOneVariable.setState({ spec: null });
  }, [key]);
}

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
