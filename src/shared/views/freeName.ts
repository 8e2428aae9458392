/** Returns a name that is not taken: "Storm", "Storm (2)". */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let n = 2; ; n++) {
    const end = ` (${n})`;
    const next = name.slice(0, 100 - end.length) + end;
    if (!taken.has(next)) return next;
  }
}
