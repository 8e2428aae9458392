import { createHash } from "node:crypto";

const LETTERS = 26;
const CHARACTERS = 36;

/**
 * Returns a code of four capital letters and digits for each identifier of a station, for formats that name stations by
 * such codes. The service has none, so they are derived from the identifiers alone: the code of a station is the same in
 * every file. If two identifiers have the same one, the later in the list gets another.
 *
 * @param ids of all stations of a connection, those known longest first
 */
export function siteCodes(ids: Iterable<string>): Map<string, string> {
  const codes = new Map<string, string>();
  const taken = new Set<string>();
  for (const id of ids) {
    if (codes.has(id)) continue;
    let attempt = 0;
    let code = candidate(id, attempt);
    while (taken.has(code)) code = candidate(id, ++attempt);
    taken.add(code);
    codes.set(id, code);
  }
  return codes;
}

/** A letter and three letters or digits. */
function candidate(id: string, attempt: number): string {
  const digest = createHash("sha256")
    .update(attempt === 0 ? id : `${id} ${attempt}`)
    .digest();
  const number = digest.readUIntBE(0, 6);
  const letter = String.fromCodePoint(0x41 + (number % LETTERS));
  const rest = Math.floor(number / LETTERS) % CHARACTERS ** 3;
  return letter + rest.toString(CHARACTERS).toUpperCase().padStart(3, "0");
}
