import { type ChosenColumns, type ColumnRole, DAY_ROLES, TIME_ROLES } from "#shared/file/columns.ts";
import { isScalar } from "#shared/service/variables.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { unreadable } from "../../error.ts";
import { columnIndex } from "../meaning/ask.ts";
import { quotedName } from "../notes.ts";
import { missingTimeOfDay } from "../time/columns.ts";
import { namedColumns } from "../time/namedColumns.ts";
import { timeReader } from "../time/reader.ts";
import { layoutOf, type TableLayout } from "./layout.ts";
import type { TableHead } from "./heads.ts";
import { type Role, SITE_ROLES, indexByRole } from "./roles.ts";

/** Returns the layout chosen by the user. @throws FormatFailure if it lacks a column, a time or a value */
export function chosenLayout(guess: TableHead, guessed: readonly Role[], chosen: ChosenColumns): TableLayout {
  const requested = new Map<number, Role>(
    chosen.columns.map(({ column, ...role }) => [columnIndex(guess.names, column, "column"), role] as const),
  );
  // What is said of a quantity at one station holds for the others.
  for (const [at, role] of requested) {
    if (isSingle(role.role)) continue;
    const { quantity } = guess.stations[at] ?? {};
    const same = guess.stations.flatMap((each, i) =>
      each && each.quantity === quantity && !requested.has(i) ? [i] : [],
    );
    for (const i of same) requested.set(i, role);
  }
  const isStation = (at: number): boolean => isScalar(requested.get(at)?.role ?? "ztd");
  const head = { ...guess, stations: guess.stations.map((each, at) => (isStation(at) ? each : null)) };
  const ofDay = missingTimeOfDay(head, new Map([...requested].map(([at, { role }]) => [role, at] as const)));
  if (![...ofDay.values()].some((at) => requested.has(at)))
    for (const [role, at] of ofDay) requested.set(at, { role, unit: null });
  // A choice of the time scale alone keeps the other columns of the time.
  const isNew = ([at, { role }]: readonly [number, Role]): boolean =>
    TIME_ROLES.has(role) && guessed[at]?.role !== role;
  const [hasTime, hasDate] = [
    [...requested].some(isNew),
    [...requested].some((each) => isNew(each) && !DAY_ROLES.has(each[1].role)),
  ];
  const own = new Set([...requested.values()].map(({ role }) => role));
  const roles = guessed.map((role, at): Role => {
    const found = requested.get(at);
    if (found) return found;
    const isTime = TIME_ROLES.has(role.role);
    const isReplaced = isTime
      ? DAY_ROLES.has(role.role)
        ? hasTime
        : hasDate
      : SITE_ROLES.has(role.role) && own.has(role.role);
    return isReplaced ? { role: "none", unit: null } : role;
  });
  const duplicate = roles.find(({ role }, i) => isSingle(role) && roles.findIndex((other) => other.role === role) < i);
  if (duplicate) throw unreadable(`Two columns are chosen as ${duplicate.role}. Choose one of them.`);
  const units = head.names.map((_, at) => roles[at]?.unit ?? head.units[at] ?? null);
  const time = timeReader(indexByRole(roles), { ...head, units });
  if (!time) throw unreadable("No column is chosen that tells the date. Choose one as time.");
  const layout = layoutOf(head, { roles, time, chosen: { requested, noValue: chosen.noValue } });
  if (layout.numbers.length === 0)
    throw unreadable("No column is chosen that has values. Choose one, for example as ztd.");
  const [clock = -1] = head.rows.every((row) => !(time(row) % DAY_MS > 0))
    ? namedColumns(head).unread.filter((at) => !requested.has(at) && !TIME_ROLES.has(roles[at]?.role ?? "none"))
    : [];
  if (clock >= 0)
    throw unreadable(
      `The times of day in ${quotedName(head.names[clock] ?? "")}, such as ${quotedName(head.rows[0]?.[clock] ?? "")}, cannot be read. Write times as 06:30:00, or choose this column as none.`,
    );
  const words = roles.flatMap(({ role, unit }, at) =>
    role === "none" || role === "number" ? [] : [`${head.names[at]} as ${role}${unit === null ? "" : ` in ${unit}`}`],
  );
  return { ...layout, remarks: [`Columns are read as chosen: ${words.join(", ")}.`, ...layout.remarks] };
}

function isSingle(role: ColumnRole): boolean {
  return TIME_ROLES.has(role) || SITE_ROLES.has(role);
}
