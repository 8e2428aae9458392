/** Returns the settings of `after` that differ from those of `before`; undefined for a setting that `after` lacks. */
export function changesBetween<T extends object>(before: T, after: T): Partial<T> {
  const old = new Map<string, unknown>(Object.entries(before));
  const edited = new Map<string, unknown>(Object.entries(after));
  const names = [...new Set([...old.keys(), ...edited.keys()])];
  const changed = names.filter((name) => JSON.stringify(old.get(name)) !== JSON.stringify(edited.get(name)));
  return Object.fromEntries(changed.map((name) => [name, edited.get(name)])) as Partial<T>;
}

/** Whether two records have the same settings. */
export function hasSameSettings<T extends object>(a: T, b: T): boolean {
  return Object.keys(changesBetween(a, b)).length === 0;
}
