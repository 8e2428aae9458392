/** What one source says about a question on a file. */
export interface Evidence<T> {
  /** As it continues “by …” in a note: `its name`, `its values`. */
  readonly by: string;
  allows(candidate: T): boolean;
}

/** The answer to a question on a file: one candidate with the evidence for it, or those that remain. */
type Decision<T> =
  | { readonly kind: "decided"; readonly value: T; readonly by: readonly string[] }
  /** `left` is empty if the evidence contradicts itself. */
  | { readonly kind: "open"; readonly left: readonly T[] };

/** Decides for the one candidate that all evidence allows. Evidence that allows all candidates says nothing. */
export function decide<T>(candidates: readonly T[], evidence: readonly Evidence<T>[]): Decision<T> {
  const saying = evidence.filter(({ allows }) => !candidates.every((candidate) => allows(candidate)));
  const left = candidates.filter((candidate) => saying.every(({ allows }) => allows(candidate)));
  const [value] = left;
  if (left.length === 1 && value !== undefined) return { kind: "decided", value, by: saying.map(({ by }) => by) };
  return { kind: "open", left };
}
