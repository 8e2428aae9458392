/** Invisible characters: controls (such as NUL padding), byte order and direction marks, soft hyphens. */
const INVISIBLE = /[\p{Cc}\p{Cf}]/gu;
const UUID_DIGITS = /^[0-9a-f]{32}$/;

/** Removes invisible characters from an identifier, and otherwise keeps the spelling of the service, to store and send it. */
export function plainId(text: string): string {
  return text.replace(INVISIBLE, "").trim();
}

/**
 * Returns the canonical spelling of an identifier for comparisons: a UUID in lower case with hyphens, from any notation
 * (capitals, braces, spaces, `urn:uuid:`, without hyphens); any other text trimmed.
 */
export function canonicalId(text: string): string {
  const trimmed = plainId(text);
  const digits = trimmed
    .toLowerCase()
    .replace(/^\{(.*)\}$/s, "$1")
    .replace(/^urn:uuid:/, "")
    .replace(/^\{(.*)\}$/s, "$1")
    .replace(/[\s\p{Pd}]/gu, "");
  if (!UUID_DIGITS.test(digits)) return trimmed;
  return [
    [0, 8],
    [8, 12],
    [12, 16],
    [16, 20],
    [20, 32],
  ]
    .map(([from, to]) => digits.slice(from, to))
    .join("-");
}

/** Returns the canonical spelling of an identifier in JSON; "" if there is none. */
function idOf(value: unknown): string {
  if (typeof value === "string") return canonicalId(value);
  return typeof value === "number" && Number.isFinite(value) ? String(value) : "";
}

/** Names by which rows may identify a station: its id, and names from the catalogue. */
export interface StationNames {
  readonly id: string;
  readonly displayName?: string;
  readonly mountpoint?: string | null;
}

type Row = Readonly<Record<string, unknown>>;

/** Fields that identify the station of a row; `receiver_id` and mountpoints belong to the earlier form (specification 9). */
const ID_FIELDS = ["station_id", "receiver_id", "mountpoint", "mountpoints"] as const;
const NAME_FIELD = "display_name";
export const IDENTITY_FIELDS: readonly string[] = [...ID_FIELDS, NAME_FIELD];

/** The station id of rows without an id, or of a station that was not requested. */
export const NO_STATION = "";

/** Returns the first identifier of a row in canonical spelling, or `NO_STATION`. */
export function stationIdOf(row: Row): string {
  for (const field of ID_FIELDS) {
    const id = idOf(onlyItem(row[field]));
    if (id !== "") return id;
  }
  return NO_STATION;
}

/**
 * Returns a function that finds the requested station of a row and returns its requested id, or `NO_STATION`.
 *
 * The first identifier of the row decides, unless the row has the name of another requested station: then one of them is
 * wrong. A row without an identifier belongs to the station of its name, if only one was requested: names change, so that
 * those of the catalogue cannot tell several stations apart.
 */
export function stationFinder(requested: readonly StationNames[]): (row: Row) => string {
  const byId = new Map(requested.map(({ id }) => [canonicalId(id), id]));
  const byMountpoint = unambiguous(requested, ({ mountpoint }) => mountpoint);
  const byName = unambiguous(requested, ({ displayName }) => displayName);
  return (row) => {
    const id = stationIdOf(row);
    const name = row[NAME_FIELD];
    const named = typeof name === "string" ? byName.get(folded(name)) : undefined;
    if (id === NO_STATION) return (requested.length === 1 ? named : undefined) ?? NO_STATION;
    const found = byId.get(id) ?? byMountpoint.get(folded(id)) ?? NO_STATION;
    return named === undefined || named === found ? found : NO_STATION;
  };
}

function unambiguous(
  requested: readonly StationNames[],
  nameOf: (station: StationNames) => string | null | undefined,
): Map<string, string> {
  const found = new Map<string, string>();
  const ambiguous = new Set<string>();
  for (const station of requested) {
    const name = folded(nameOf(station) ?? "");
    if (name === "") continue;
    if (found.has(name) && found.get(name) !== station.id) ambiguous.add(name);
    found.set(name, station.id);
  }
  for (const name of ambiguous) found.delete(name);
  return found;
}

function folded(name: string): string {
  return plainId(name).toLowerCase();
}

function onlyItem(value: unknown): unknown {
  return Array.isArray(value) && value.length === 1 ? (value[0] as unknown) : value;
}
