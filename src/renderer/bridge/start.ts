import { portChannel } from "#shared/bridge/transport/port.ts";
import type { ToCore, ToWindow } from "#shared/bridge/transport/protocol.ts";
import { corePort, type ZenithShell } from "#shared/bridge/transport/shell.ts";
import { useEngine } from "../stores/engine.ts";
import { useSignIn } from "../stores/signIn.ts";
import { attach, tell } from "./index.ts";
import { findSecret, hasLink, isGood, type Missing, waitForSecret } from "./secret.ts";
import { keepSocket, openShellSocket, type SocketState } from "./socketChannel.ts";

declare global {
  interface Window {
    /** Given by the preload script; absent in the web shell. */
    readonly zenithShell?: ZenithShell;
  }
}

/**
 * Finds the core: through the port that the desktop shell hands over, else through a WebSocket to where the page came from.
 *
 * @returns whether there is a way: false where this browser has to be signed in first
 */
export async function startBridge(): Promise<boolean> {
  const shell = window.zenithShell;
  if (shell) startPort(shell);
  else return startSocket();
  return true;
}

async function startSocket(): Promise<boolean> {
  // A link that is opened in a tab which shows the page already changes its address alone.
  window.addEventListener("hashchange", () => hasLink() && location.reload());
  const found = await findSecret();
  if ("missing" in found) {
    wait(found.missing);
    return false;
  }
  const { secret } = found;
  keepSocket(attach, tell, {
    open: () => openShellSocket(secret),
    isRefused: async () => !(await isGood(secret)),
    onState(state) {
      useEngine.setState(engineOf(state));
      if (state.kind === "signedOut") wait("signedOut");
    },
  });
  return true;
}

/** For a link, here or in another tab: then all begins anew. */
function wait(missing: Missing): void {
  waitForSecret(() => location.reload());
  useSignIn.setState({ missing });
}

function engineOf(state: SocketState) {
  return { lostReason: state.kind === "lost" ? state.reason : null, isSilent: state.kind === "silent" };
}

function startPort(shell: ZenithShell): void {
  let nonce = "";
  window.addEventListener("message", (event: MessageEvent<unknown>) => {
    const arrived = corePort(event, nonce, { window, origin: location.origin });
    if (!arrived) return;
    // What is transferred to a process of Electron's does not arrive.
    attach(portChannel<ToCore, ToWindow>(arrived.port, { transfer: false }));
    if (arrived.reason !== null) tell("engineRestarted", { reason: arrived.reason });
  });
  shell.onEngine((isAnswering) => useEngine.setState({ isSilent: !isAnswering }));
  shell.onCommand((command) => tell("command", { command }));
  nonce = shell.requestCore();
}
