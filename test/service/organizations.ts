import type { OrganizationOptions } from "#service/index.ts";

/** a has access to everything; b is limited in every way. */
export const ORGANIZATIONS: readonly OrganizationOptions[] = [
  { key: "key-a", name: "a", owner: "aurora", maxPoints: null, maxConcurrent: 100 },
  {
    key: "key-b",
    name: "b",
    owner: "meridian",
    networks: ["BMAST"],
    hasLocation: false,
    maxPoints: 1_000,
    maxConcurrent: 2,
  },
];
