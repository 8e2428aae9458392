import { createContext, type ReactNode, useCallback, useContext, useEffect, useId, useMemo, useState } from "react";

interface Scope {
  readonly isInvalid: boolean;
  /** Returns a function that removes the field again. */
  readonly add: (fieldId: string) => () => void;
}

const ScopeContext = createContext<Scope>({ isInvalid: false, add: () => () => undefined });

/** A part of the window whose result depends on fields: while one of them is invalid, there is no result. */
export function InputScope({ children }: { readonly children: ReactNode }) {
  const [invalid, setInvalid] = useState<readonly string[]>([]);
  const isInvalid = invalid.length > 0;
  const add = useCallback((fieldId: string) => {
    setInvalid((ids) => [...ids, fieldId]);
    return () => setInvalid((ids) => ids.filter((id) => id !== fieldId));
  }, []);
  const scope = useMemo(() => ({ isInvalid, add }), [isInvalid, add]);
  return <ScopeContext value={scope}>{children}</ScopeContext>;
}

/** Whether a field of the scope around is invalid. */
export function useIsInvalid(): boolean {
  return useContext(ScopeContext).isInvalid;
}

/** Tells the scope around a field whether the field is invalid. */
export function useInvalidField(isInvalid: boolean): void {
  const id = useId();
  const { add } = useContext(ScopeContext);
  useEffect(() => (isInvalid ? add(id) : undefined), [isInvalid, add, id]);
}
