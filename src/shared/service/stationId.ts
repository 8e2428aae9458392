/** What hides in texts without being seen: control characters (NULs that pad a field), byte order and direction marks, soft hyphens. */
const UNSEEN = /[\p{Cc}\p{Cf}]/gu;
const UUID_DIGITS = /^[0-9a-f]{32}$/;

/** An identifier as the service spells it, without what cannot be seen: so it is stored, and sent back. */
export function plainId(text: string): string {
  return text.replace(UNSEEN, "").trim();
}

/**
 * An identifier in the one spelling under which it is compared: a UUID in lower case with its hyphens, however
 * it was written (capitals, braces, spaces, `urn:uuid:`, without hyphens); any other text without the spaces around it.
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

/** An identifier as it stands in JSON, in its one spelling; "" where there is none. */
export function idOf(value: unknown): string {
  if (typeof value === "string") return canonicalId(value);
  return typeof value === "number" && Number.isFinite(value) ? String(value) : "";
}

/** By what names rows may call a station: its id, and what the catalogue tells beside it. */
export interface StationNames {
  readonly id: string;
  readonly displayName?: string;
  readonly mountpoint?: string | null;
}

type Row = Readonly<Record<string, unknown>>;

/** Fields by which a row tells its station; `receiver_id` and mountpoints belong to the earlier form (specification 9). */
const ID_FIELDS = ["station_id", "receiver_id", "mountpoint", "mountpoints"] as const;
const NAME_FIELD = "display_name";
export const IDENTITY_FIELDS: readonly string[] = [...ID_FIELDS, NAME_FIELD];

/** The station of a row that nobody was asked about: no id at all, or that of another station. */
export const NOBODY = "";

/** The first identifier that a row has, in its one spelling; `NOBODY` where it has none. */
export function stationIdOf(row: Row): string {
  for (const field of ID_FIELDS) {
    const id = idOf(first(row[field]));
    if (id !== "") return id;
  }
  return NOBODY;
}

/**
 * Tells to which of the asked stations a row belongs, under the id by which it was asked; `NOBODY` where to none of them.
 *
 * The first identifier of the row decides. Display names are unique (specification 2.1), so that a row without any
 * identifier belongs to the one station of that name.
 */
export function stationFinder(asked: readonly StationNames[]): (row: Row) => string {
  const byId = new Map(asked.map(({ id }) => [canonicalId(id), id]));
  const byMountpoint = unambiguous(asked, ({ mountpoint }) => mountpoint);
  const byName = unambiguous(asked, ({ displayName }) => displayName);
  return (row) => {
    const id = stationIdOf(row);
    if (id !== NOBODY) return byId.get(id) ?? byMountpoint.get(folded(id)) ?? NOBODY;
    const name = row[NAME_FIELD];
    return typeof name === "string" ? (byName.get(folded(name)) ?? NOBODY) : NOBODY;
  };
}

function unambiguous(
  asked: readonly StationNames[],
  nameOf: (station: StationNames) => string | null | undefined,
): Map<string, string> {
  const found = new Map<string, string>();
  const twice = new Set<string>();
  for (const station of asked) {
    const name = folded(nameOf(station) ?? "");
    if (name === "") continue;
    if (found.has(name) && found.get(name) !== station.id) twice.add(name);
    found.set(name, station.id);
  }
  for (const name of twice) found.delete(name);
  return found;
}

function folded(name: string): string {
  return name.replace(UNSEEN, "").trim().toLowerCase();
}

/** The only item of a list, or the value itself. */
function first(value: unknown): unknown {
  return Array.isArray(value) && value.length === 1 ? (value[0] as unknown) : value;
}
