/** Returns a value that must exist by an invariant of the program. @throws if it is null or undefined */
export function defined<T>(value: T): NonNullable<T> {
  if (value === undefined || value === null) throw new Error("A value that has to be there is missing.");
  return value;
}
