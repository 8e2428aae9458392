import type { Result } from "#shared/service/error.ts";

/** The value of a result that has to be one. */
export function valueOf<T, E>(result: Result<T, E>): T {
  if (result.ok) return result.value;
  throw new Error(JSON.stringify(result.error));
}
