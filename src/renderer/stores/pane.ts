import type { z } from "zod";
import { useWorkspace, type Workspace } from "./workspace.ts";

/** A choice of one feature, kept with the workspace and with saved views. */
export interface Pane<T> {
  readonly read: (stored: unknown) => T;
  /** The same value until another is stored. */
  readonly of: (workspace: Pick<Workspace, "panes">) => T;
  readonly set: (value: T) => void;
  readonly change: (part: Partial<T>) => void;
}

/**
 * Describes a choice.
 *
 * @param schema must have fallbacks for everything: another version, or a view of another user, may have stored it
 */
export function pane<T>(name: string, schema: z.ZodType<T>): Pane<T> {
  const read = (stored: unknown): T => {
    const found = schema.safeParse(stored ?? {});
    return found.success ? found.data : schema.parse({});
  };
  let last: readonly [stored: unknown, value: T] | null = null;
  const of = ({ panes }: Pick<Workspace, "panes">): T => {
    const stored = panes[name];
    if (last === null || last[0] !== stored) last = [stored, read(stored)];
    return last[1];
  };
  const set = (value: T): void => useWorkspace.setState(({ panes }) => ({ panes: { ...panes, [name]: value } }));
  return { read, of, set, change: (part) => set({ ...of(useWorkspace.getState()), ...part }) };
}

export function usePane<T>({ of, set }: Pane<T>): [T, (value: T) => void] {
  return [useWorkspace(of), set];
}
