import type { UserStore } from "../../store/index.ts";

/** Bounds of the time for which data may arrive late, ms. */
export const SETTLING = { minMs: 0, maxMs: 60 * 86_400_000 } as const;

const nameOf = (connectionId: string): string => `settlingMarginMs ${connectionId}`;

/** Returns for how long data of a connection may arrive late, as the user set it, ms; null: not set. */
export function settlingMarginOf(users: Pick<UserStore, "setting">, connectionId: string): number | null {
  const text = users.setting(nameOf(connectionId));
  const ms = text === null ? Number.NaN : Number(text);
  return ms >= SETTLING.minMs && ms <= SETTLING.maxMs ? ms : null;
}

/** @param marginMs null: the usual time */
export function setSettlingMargin(
  users: Pick<UserStore, "putSetting">,
  connectionId: string,
  marginMs: number | null,
): void {
  users.putSetting(nameOf(connectionId), marginMs === null ? null : String(marginMs));
}
