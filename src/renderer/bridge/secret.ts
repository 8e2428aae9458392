import { raceTimeout } from "#shared/async.ts";
import { LINK_MARK, TOKEN } from "#shared/bridge/transport/webShell.ts";
import { askShell } from "./webShell.ts";

// The secret of this browser in the web shell: in the storage of the tab, which belongs to this scheme, host and port alone
// and ends with the tab, and handed from tab to tab within the same bounds. It is never in a cookie or an address.

/** Why there is no secret. */
export type Missing = "noLink" | "usedLink" | "signedOut";

type TabMessage = { readonly ask: true } | { readonly secret: string };

const KEPT_AS = "zenith-secret";
const TABS = "zenith-secret";
/** Another tab answers at once, where there is one. */
const TAB_PATIENCE_MS = 300;

let current: string | null = null;
let onOffer: (secret: string) => void = () => {};
let tabs: BroadcastChannel | null = null;

/** null in the desktop program, which needs none, and where this browser is not signed in. */
export function currentSecret(): string | null {
  return current;
}

/**
 * The secret for the link that the page was opened with, of before a reload, or from another tab; or why there is none.
 * Called once.
 */
export async function findSecret(): Promise<{ readonly secret: string } | { readonly missing: Missing }> {
  const token = takeToken();
  tabs = new BroadcastChannel(TABS);
  tabs.addEventListener("message", ({ data }: MessageEvent<TabMessage>) => {
    if ("secret" in data) onOffer(data.secret);
    else if (current !== null) tell({ secret: current });
  });
  const redeemed = token === null ? null : await redeem(token);
  const secret = redeemed ?? readKept() ?? (await askTabs());
  if (secret === null) return { missing: token === null ? "noLink" : "usedLink" };
  keep(secret);
  // Tabs that wait for a link need none of their own.
  if (redeemed !== null) tell({ secret });
  return { secret };
}

/** Forgets the secret, which opens nothing any more. @param onSignIn called once another tab is signed in */
export function waitForSecret(onSignIn: () => void): void {
  keep(null);
  onOffer = (secret) => void takeOffered(secret, onSignIn);
}

/** The tab that offers it may not have heard yet that it is void. */
async function takeOffered(secret: string, onSignIn: () => void): Promise<void> {
  if (!(await isGood(secret))) return;
  keep(secret);
  onSignIn();
}

/** Whether a secret still opens anything; true also where the shell cannot be reached to say otherwise. */
export async function isGood(secret: string): Promise<boolean> {
  const answer = await askShell("check", secret).catch(() => null);
  return answer?.status !== 401;
}

/** Whether the page was opened with a link. */
export function hasLink(): boolean {
  return location.hash.startsWith(LINK_MARK);
}

/** From the address, which is rid of it at once, and so is the history of the tab. */
function takeToken(): string | null {
  const { hash, pathname } = location;
  if (!hasLink()) return null;
  history.replaceState(null, "", pathname);
  return hash.slice(LINK_MARK.length);
}

async function redeem(token: string): Promise<string | null> {
  if (!TOKEN.test(token)) return null;
  const answer = await askShell("sign-in", token).catch(() => null);
  return answer?.ok ? (await answer.text()).trim() : null;
}

async function askTabs(): Promise<string | null> {
  const offer = new Promise<string | null>((resolve) => (onOffer = resolve));
  tell({ ask: true });
  return (await raceTimeout(offer, TAB_PATIENCE_MS)) ?? null;
}

function tell(message: TabMessage): void {
  tabs?.postMessage(message);
}

// A browser may forbid a page to store anything: then a reload needs another link, or another tab.
function keep(secret: string | null): void {
  current = secret;
  onOffer = () => {};
  try {
    if (secret === null) sessionStorage.removeItem(KEPT_AS);
    else sessionStorage.setItem(KEPT_AS, secret);
  } catch {}
}

function readKept(): string | null {
  try {
    return sessionStorage.getItem(KEPT_AS);
  } catch {
    return null;
  }
}
