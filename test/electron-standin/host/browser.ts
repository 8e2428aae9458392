import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { type Cdp, connectCdp, type Session } from "./cdp.ts";

/** Quiet, steady and offline: names outside this machine do not resolve, hidden windows draw as others do. */
const SWITCHES = [
  "--headless",
  "--no-sandbox",
  "--no-startup-window",
  "--no-first-run",
  "--no-default-browser-check",
  "--disable-quic",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-background-timer-throttling",
  "--disable-backgrounding-occluded-windows",
  "--disable-renderer-backgrounding",
  "--disable-back-forward-cache",
  "--disable-dev-shm-usage",
  "--disable-extensions",
  "--disable-field-trial-config",
  // Where every document gets a frame of its own, what one says while it unloads is lost with the old frame's session.
  "--disable-features=RenderDocument",
  "--disable-popup-blocking",
  "--disable-breakpad",
  "--disable-sync",
  "--force-color-profile=srgb",
  "--force-prefers-reduced-motion",
  "--hide-scrollbars",
  "--mute-audio",
  "--password-store=basic",
  "--enable-unsafe-swiftshader",
  // Electron's pages are told when the other end of a port is gone; Chromium's only with this.
  "--enable-blink-features=MessagePortCloseEvent",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
  "--remote-debugging-port=0",
  // Nothing is sent through the pipe: the browser ends when this process does and the pipe closes, however it ends.
  "--remote-debugging-pipe",
];

export interface Target {
  readonly targetId: string;
  readonly openerId: string | undefined;
  readonly session: Session;
}

export interface Browser {
  readonly address: string;
  readonly cdp: Cdp;
  open(width: number, height: number): Promise<Target>;
  /** Pages that a page opened. They stand still until they are closed or released. */
  onStranger(listener: (target: Target) => void): void;
  onGone(listener: (targetId: string) => void): void;
  close(): Promise<void>;
}

interface Attached {
  readonly sessionId: string;
  readonly targetInfo: { readonly targetId: string; readonly type: string; readonly openerId?: string };
}

/** One Chromium with a profile of its own. */
export async function startBrowser(executable: string, profile: string): Promise<Browser> {
  const child = spawn(executable, [...SWITCHES, `--user-data-dir=${profile}`], {
    stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"],
  });
  const address = await addressOf(child);
  const cdp = await connectCdp(address, () => child.kill("SIGKILL"));
  const asked = new Map<string, (target: Target) => void>();
  const early = new Map<string, Target>();
  let opening = 0;
  let onStranger: ((target: Target) => void) | null = null;
  let onGone: ((targetId: string) => void) | null = null;

  cdp.browser.on<Attached>("Target.attachedToTarget", ({ sessionId, targetInfo }) => {
    const session = cdp.session(sessionId);
    if (targetInfo.type !== "page") {
      void session.send("Runtime.runIfWaitingForDebugger").catch(() => {});
      return;
    }
    const target = { targetId: targetInfo.targetId, openerId: targetInfo.openerId, session };
    const known = asked.get(target.targetId);
    if (known) known(target);
    // The answer to the command that opened it may come after this event.
    else if (opening > 0 && target.openerId === undefined) early.set(target.targetId, target);
    else onStranger?.(target);
  });
  cdp.browser.on<{ targetId: string }>("Target.targetDestroyed", ({ targetId }) => onGone?.(targetId));
  await cdp.browser.send("Target.setDiscoverTargets", { discover: true });
  await cdp.browser.send("Target.setAutoAttach", { autoAttach: true, waitForDebuggerOnStart: true, flatten: true });

  return {
    address,
    cdp,
    async open(width, height) {
      opening += 1;
      const { targetId } = await cdp.browser.send("Target.createTarget", {
        url: "about:blank",
        newWindow: true,
        width,
        height,
      });
      const target = early.get(targetId) ?? (await new Promise<Target>((resolve) => void asked.set(targetId, resolve)));
      opening -= 1;
      early.delete(targetId);
      asked.delete(targetId);
      return target;
    },
    onStranger: (listener) => void (onStranger = listener),
    onGone: (listener) => void (onGone = listener),
    async close() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      if (child.exitCode === null && child.signalCode === null) {
        await cdp.browser.send("Browser.close").catch(() => {});
        await ended;
      }
    },
  };
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    createInterface({ input: child.stderr as Readable }).on("line", (line) => {
      said = `${said}${line}\n`.slice(-2000);
      const address = /DevTools listening on (ws:\S+)/.exec(line)?.[1];
      if (address) resolve(address);
    });
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`Chromium ended (${code}): ${said}`)));
  });
}
