/** A value that is there by the rules of this program. @throws where it is not: a fault that would show further on */
export function defined<T>(value: T): NonNullable<T> {
  if (value === undefined || value === null) throw new Error("A value that has to be there is missing.");
  return value;
}
