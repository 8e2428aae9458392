import type { FileStation } from "../source.ts";
import { threeLetterCountry } from "./countries.ts";
import { asciiText } from "./text.ts";

/**
 * A code of nine characters for each station, as the format wants it: four of its name, two figures, three letters of its
 * country: `KALL00FIN`. The service has no such codes, so these are made here: unique within a file, the same for the
 * same list of stations, and not those of the IGS; the file says which station each stands for.
 */
export function stationCodes(stations: readonly FileStation[]): string[] {
  const taken = new Set<string>();
  const tries = new Map<string, number>();
  return stations.map((station) => {
    const letters = asciiText(station.displayName || station.id)
      .toUpperCase()
      .replaceAll(/[^A-Z0-9]/g, "");
    const name = letters.slice(0, 4).padEnd(4, "X");
    const country = threeLetterCountry(station.countryCode);
    const group = name + country;
    for (let attempt = tries.get(group) ?? 0; ; attempt++) {
      const code = candidate(name, attempt) + country;
      if (taken.has(code)) continue;
      tries.set(group, attempt + 1);
      taken.add(code);
      return code;
    }
  });
}

/** Six characters: two figures tell a hundred of the same name apart, beyond that four of 36 do. */
function candidate(name: string, attempt: number): string {
  if (attempt < 100) return name + String(attempt).padStart(2, "0");
  return name.slice(0, 2) + (attempt - 100).toString(36).toUpperCase().padStart(4, "0");
}
