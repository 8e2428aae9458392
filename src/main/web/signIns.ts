import { createHash, randomBytes } from "node:crypto";

/**
 * Authenticates browsers. Links, secrets and tickets are 256 random bits each, stored as digests, so that the time of a
 * lookup reveals nothing about them. All end with the program.
 */
export interface SignIns {
  /** Creates the token of a link that signs in one browser, once. */
  newLink(): string;
  /** Exchanges the token of a link for the secret of a new browser; null if the link was used or is unknown. */
  redeemLink(token: string): string | null;
  /** A secret for the command line of the same user, valid until the program ends. */
  readonly ownSecret: string;
  isValid(secret: string): boolean;
  /** Creates a ticket for one download of a path, valid for a short time. */
  newTicket(path: string): string;
  /** The path of a ticket; null if it is invalid. `isUse`: invalidates the ticket. */
  pathOf(ticket: string, isUse: boolean): string | null;
  /** Invalidates all links, secrets and tickets. */
  signOutAll(): void;
}

/** Beyond this number, the oldest unused links are invalid. */
const MAX_LINKS = 32;
const MAX_TICKETS = 256;
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
      dropOldest(links, MAX_LINKS);
      return token;
    },
    redeemLink(token) {
      if (!links.delete(digest(token))) return null;
      const secret = newSecret();
      secrets.add(digest(secret));
      return secret;
    },
    isValid: (secret) => secrets.has(digest(secret)) || digest(secret) === digest(ownSecret),
    newTicket(path) {
      const ticket = newSecret();
      tickets.set(digest(ticket), { path, untilMs: performance.now() + TICKET_MS });
      dropOldest(tickets, MAX_TICKETS);
      return ticket;
    },
    pathOf(ticket, isUse) {
      const key = digest(ticket);
      const found = tickets.get(key);
      if (isUse) tickets.delete(key);
      return found && found.untilMs > performance.now() ? found.path : null;
    },
    signOutAll() {
      for (const entries of [links, secrets, tickets]) entries.clear();
    },
  };
}

function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}

function dropOldest(entries: Set<string> | Map<string, unknown>, max: number): void {
  for (const key of entries.keys()) {
    if (entries.size <= max) return;
    entries.delete(key);
  }
}
