import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { type Cdp, connectCdp, type Session } from "./cdp.ts";
import type { StandinSettings } from "./settings.ts";

/** Offline and reproducible: other host names do not resolve, and hidden windows are drawn. */
const SWITCHES = [
  "--headless",
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
  // With RenderDocument, each document has a new frame, and messages during unloading are lost with the old session.
  "--disable-features=RenderDocument",
  // window.open() asks the handler and returns null: a page that is opened and closed again can block that of its opener.
  "--block-new-web-contents",
  "--disable-popup-blocking",
  "--disable-breakpad",
  "--disable-sync",
  "--force-color-profile=srgb",
  "--force-prefers-reduced-motion",
  // Pages live for seconds here: only the fast compiler pays off, and collecting garbage rarely, in one thread.
  "--js-flags=--no-turbofan --single-threaded-gc --min-semi-space-size=16",
  "--hide-scrollbars",
  "--mute-audio",
  "--password-store=basic",
  "--enable-unsafe-swiftshader",
  // Electron notifies pages when the other end of a port is closed; Chromium only with this feature.
  "--enable-blink-features=MessagePortCloseEvent",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
  "--remote-debugging-port=0",
  // Nothing is sent through the pipe. It closes when this process ends in any way, which ends the browser.
  "--remote-debugging-pipe",
];

/** Another user than root in a namespace of users, where everything still belongs to that user. */
const NAMESPACE = ["unshare", "--user", "--map-user=1000", "--map-group=1000"];
const NO_MORE_NAMESPACES =
  'echo 0 > /proc/sys/user/max_user_namespaces && exec setpriv --ambient-caps -all --inh-caps -all "$@"';

/** What starts Chromium as a user to whom it gives a sandbox. */
const AS_USER: Readonly<Record<StandinSettings["sandbox"], readonly string[]>> = {
  none: [],
  namespaces: NAMESPACE,
  refused: [...NAMESPACE, "--keep-caps", "sh", "-c", NO_MORE_NAMESPACES, "sh"],
};

export interface Target {
  readonly targetId: string;
  readonly session: Session;
}

export interface Browser {
  readonly address: string;
  readonly cdp: Cdp;
  open(width: number, height: number): Promise<Target>;
  onGone(listener: (targetId: string) => void): void;
  close(): Promise<void>;
}

interface Attached {
  readonly sessionId: string;
  readonly targetInfo: { readonly targetId: string; readonly type: string };
}

interface BrowserOptions {
  readonly executable: string;
  readonly profile: string;
  readonly isSandboxed: boolean;
  readonly sandbox: StandinSettings["sandbox"];
}

/** Starts Chromium with a separate profile. */
export async function startBrowser({ executable, profile, isSandboxed, sandbox }: BrowserOptions): Promise<Browser> {
  const own = isSandboxed && sandbox !== "none" ? [] : ["--no-sandbox"];
  const command = [...AS_USER[sandbox], executable, ...SWITCHES, ...own, `--user-data-dir=${profile}`];
  const [program = "", ...args] = command;
  const child = spawn(program, args, { stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"] });
  const address = await addressOf(child);
  const cdp = await connectCdp(address, () => child.kill("SIGKILL"));
  const expected = new Map<string, (target: Target) => void>();
  const early = new Map<string, Target>();
  let opening = 0;
  let onGone: ((targetId: string) => void) | null = null;

  cdp.browser.on<Attached>("Target.attachedToTarget", ({ sessionId, targetInfo }) => {
    const session = cdp.session(sessionId);
    if (targetInfo.type !== "page") {
      void session.send("Runtime.runIfWaitingForDebugger").catch(() => {});
      return;
    }
    const target = { targetId: targetInfo.targetId, session };
    const known = expected.get(target.targetId);
    if (known) known(target);
    // The response to the command that opened the page may arrive after this event.
    else if (opening > 0) early.set(target.targetId, target);
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
      const target =
        early.get(targetId) ?? (await new Promise<Target>((resolve) => void expected.set(targetId, resolve)));
      opening -= 1;
      early.delete(targetId);
      expected.delete(targetId);
      return target;
    },
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
    let output = "";
    createInterface({ input: child.stderr as Readable }).on("line", (line) => {
      output = `${output}${line}\n`.slice(-2000);
      const address = /DevTools listening on (ws:\S+)/.exec(line)?.[1];
      if (address) resolve(address);
    });
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`Chromium ended (${code}): ${output}`)));
  });
}
