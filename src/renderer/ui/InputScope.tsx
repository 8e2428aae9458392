import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from "react";

interface Scope {
  readonly isInvalid: boolean;
  /** Discards what was typed in the invalid fields. */
  readonly discard: () => void;
  /** Adds an invalid field. @returns a function that removes it again */
  readonly add: (discard: () => void) => () => void;
}

const ScopeContext = createContext<Scope>({ isInvalid: false, discard: () => {}, add: () => () => undefined });

/** A part of the window whose result depends on fields: while one of them is invalid, there is no result. */
export function InputScope({ children }: { readonly children: ReactNode }) {
  const [invalid, setInvalid] = useState<readonly (() => void)[]>([]);
  const add = useCallback((discard: () => void) => {
    setInvalid((all) => [...all, discard]);
    return () => setInvalid((all) => all.filter((one) => one !== discard));
  }, []);
  const scope = useMemo((): Scope => {
    const discard = (): void => {
      for (const discardOne of invalid) discardOne();
    };
    return { isInvalid: invalid.length > 0, discard, add };
  }, [invalid, add]);
  return <ScopeContext value={scope}>{children}</ScopeContext>;
}

/** Whether a field of the scope around is invalid. */
export function useIsInvalid(): boolean {
  return useContext(ScopeContext).isInvalid;
}

/** Returns a function for controls that set fields: it discards what was typed in the invalid fields of the scope around. */
export function useDiscard(): () => void {
  return useContext(ScopeContext).discard;
}

/** Tells the scope around a field whether the field is invalid. */
export function useInvalidField(isInvalid: boolean, discard: () => void): void {
  const { add } = useContext(ScopeContext);
  const latest = useRef(discard);
  latest.current = discard;
  useEffect(() => (isInvalid ? add(() => latest.current()) : undefined), [isInvalid, add]);
}
