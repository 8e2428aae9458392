import { createHash, randomBytes } from "node:crypto";

/**
 * Who may use the window. Links, secrets and tickets are 256 random bits each, kept as digests: a lookup by a digest takes
 * a time that tells nothing about what was given. Nothing outlives the program.
 */
export interface SignIns {
  /** The token of a link that signs one browser in, once. */
  newLink(): string;
  /** The secret of a new browser for the token of a link; null where the link is used up or unknown. */
  redeemLink(token: string): string | null;
  /** Another secret that is good until the program ends, for the command line of the same user. */
  readonly ownSecret: string;
  isGood(secret: string): boolean;
  /** A ticket that gives a path once. It is good for a short while. */
  newTicket(path: string): string;
  /** The path of a ticket. `isUse`: the ticket is used up by it. */
  pathOf(ticket: string, isUse: boolean): string | null;
  /** All browsers, and what has been given out to them. */
  signOutAll(): void;
}

/** The oldest that were not used are void where there are more. */
const MOST_LINKS = 32;
const MOST_TICKETS = 256;
const TICKET_MS = 60_000;

export function createSignIns(): SignIns {
  const ownSecret = newSecret();
  const links = new Set<string>();
  const secrets = new Set<string>();
  const tickets = new Map<string, { readonly path: string; readonly untilMs: number }>();

  return {
    ownSecret,
    newLink() {
      const token = newSecret();
      links.add(digest(token));
      dropOldest(links, MOST_LINKS);
      return token;
    },
    redeemLink(token) {
      if (!links.delete(digest(token))) return null;
      const secret = newSecret();
      secrets.add(digest(secret));
      return secret;
    },
    isGood: (secret) => secrets.has(digest(secret)) || digest(secret) === digest(ownSecret),
    newTicket(path) {
      const ticket = newSecret();
      tickets.set(digest(ticket), { path, untilMs: performance.now() + TICKET_MS });
      dropOldest(tickets, MOST_TICKETS);
      return ticket;
    },
    pathOf(ticket, isUse) {
      const key = digest(ticket);
      const found = tickets.get(key);
      if (isUse) tickets.delete(key);
      return found && found.untilMs > performance.now() ? found.path : null;
    },
    signOutAll() {
      for (const given of [links, secrets, tickets]) given.clear();
    },
  };
}

function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}

function dropOldest(kept: Set<string> | Map<string, unknown>, most: number): void {
  for (const key of kept.keys()) {
    if (kept.size <= most) return;
    kept.delete(key);
  }
}
