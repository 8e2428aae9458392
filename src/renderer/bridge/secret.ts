import { raceTimeout } from "#shared/async.ts";
import { LINK_MARK, TOKEN } from "#shared/bridge/transport/webShell.ts";
import { callShell } from "./webShell.ts";
import { closeWindowStorage, openWindowStorage, storedInWindow, storeInWindow } from "./windowStorage.ts";

// The secret that signs this browser in to the web shell. It is kept in session storage, which is limited to this origin
// (scheme, host and port) and ends with the tab, and is passed between tabs of that origin; never in a cookie or a URL.

/** Why this browser has no secret. */
export type MissingSecretReason = "noLink" | "usedLink" | "signedOut";

type TabMessage = { readonly ask: true } | { readonly secret: string };

const STORAGE_KEY = "zenith-secret";
const CHANNEL_NAME = "zenith-secret";
/** Another tab, if there is one, answers at once. */
const TAB_TIMEOUT_MS = 300;

let current: string | null = null;
let onOffer: (secret: string) => void = () => {};
let tabs: BroadcastChannel | null = null;

/** Returns null in the desktop application, which needs no secret, and if this browser is not signed in. */
export function currentSecret(): string | null {
  return current;
}

/**
 * Finds the secret: by redeeming the link that opened the page, from before a reload, or from another tab. Call it once.
 */
export async function findSecret(): Promise<{ readonly secret: string } | { readonly missing: MissingSecretReason }> {
  const token = takeLinkToken();
  tabs = new BroadcastChannel(CHANNEL_NAME);
  tabs.addEventListener("message", ({ data }: MessageEvent<TabMessage>) => {
    if ("secret" in data) onOffer(data.secret);
    else if (current !== null) tabs?.postMessage({ secret: current } satisfies TabMessage);
  });
  const redeemed = token === null ? null : await redeem(token);
  const secret = redeemed ?? storedInWindow(STORAGE_KEY) ?? (await requestFromTabs(tabs));
  if (secret === null) return { missing: token === null ? "noLink" : "usedLink" };
  store(secret);
  // Signs in the tabs that are waiting for a link.
  if (redeemed !== null) tabs.postMessage({ secret } satisfies TabMessage);
  return { secret };
}

/** Discards the secret, which is no longer valid. @param onSignIn called after another tab has signed in */
export function waitForSecret(onSignIn: () => void): void {
  store(null);
  onOffer = (secret) => void acceptOffer(secret, onSignIn);
}

/** Checks the secret first: the tab that offers it may not know yet that it is no longer valid. */
async function acceptOffer(secret: string, onSignIn: () => void): Promise<void> {
  if (!(await isSecretValid(secret))) return;
  store(secret);
  onSignIn();
}

/** Returns false only if the shell rejects the secret; true if the shell is unreachable. */
export async function isSecretValid(secret: string): Promise<boolean> {
  const response = await callShell("check", secret).catch(() => null);
  return response?.status !== 401;
}

/** Whether the page was opened with a sign-in link. */
export function hasLink(): boolean {
  return location.hash.startsWith(LINK_MARK);
}

/** Reads the token of the link and removes it from the URL and the tab's history. */
function takeLinkToken(): string | null {
  const { hash, pathname } = location;
  if (!hasLink()) return null;
  history.replaceState(null, "", pathname);
  return hash.slice(LINK_MARK.length);
}

async function redeem(token: string): Promise<string | null> {
  if (!TOKEN.test(token)) return null;
  const response = await callShell("sign-in", token).catch(() => null);
  return response?.ok ? (await response.text()).trim() : null;
}

async function requestFromTabs(channel: BroadcastChannel): Promise<string | null> {
  const offer = new Promise<string | null>((resolve) => (onOffer = resolve));
  channel.postMessage({ ask: true } satisfies TabMessage);
  return (await raceTimeout(offer, TAB_TIMEOUT_MS)) ?? null;
}

// Without a stored secret, a reload needs another link or another tab. A browser that was signed out keeps nothing.
function store(secret: string | null): void {
  current = secret;
  onOffer = () => {};
  if (secret === null) return closeWindowStorage();
  openWindowStorage();
  storeInWindow(STORAGE_KEY, secret);
}
