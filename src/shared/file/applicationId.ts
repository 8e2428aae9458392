/** Kinds of this program's own databases, in their headers (`PRAGMA application_id`). */
export const APPLICATION_ID = {
  cache: 0x5a44_0001,
  user: 0x5a44_0002,
  claims: 0x5a44_0003,
} as const;
