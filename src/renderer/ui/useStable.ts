import { useMemo } from "react";

/** Returns the value of an earlier render while the new one is equal as JSON, so that what depends on it does not render. */
export function useStable<Value>(value: Value): Value {
  const key = JSON.stringify(value);
  return useMemo(() => JSON.parse(key) as Value, [key]);
}
