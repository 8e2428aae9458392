import { portChannel } from "#shared/bridge/transport/port.ts";
import type { ToCore, ToWindow } from "#shared/bridge/transport/protocol.ts";
import { corePort, type ZenithShell } from "#shared/bridge/transport/shell.ts";
import { useCore, useSignIn } from "../stores/core.ts";
import { attach, emit } from "./index.ts";
import { findSecret, hasLink, isSecretValid, type MissingSecretReason, waitForSecret } from "./secret.ts";
import { keepSocket, openShellSocket } from "./socketChannel.ts";

declare global {
  interface Window {
    /** Set by the preload script; absent in the web shell. */
    readonly zenithShell?: ZenithShell;
  }
}

/**
 * Connects to the core: through a port from the desktop shell, or a WebSocket to the origin of the page.
 *
 * @returns false if this browser must be signed in first
 */
export async function startBridge(): Promise<boolean> {
  const shell = window.zenithShell;
  if (shell) startPort(shell);
  else return startSocket();
  return true;
}

async function startSocket(): Promise<boolean> {
  // Opening a sign-in link in a tab that already shows the page changes only the hash.
  window.addEventListener("hashchange", () => hasLink() && location.reload());
  const found = await findSecret();
  if ("missing" in found) {
    showSignIn(found.missing);
    return false;
  }
  const { secret } = found;
  keepSocket(attach, emit, {
    open: () => openShellSocket(secret),
    isRefused: async () => !(await isSecretValid(secret)),
    onState(state) {
      useCore.setState({
        lostReason: state.kind === "lost" ? state.reason : null,
        isSilent: state.kind === "silent",
      });
      if (state.kind === "signedOut") showSignIn("signedOut");
    },
  });
  return true;
}

/** Waits for a sign-in link, in this tab or another, and then reloads the page. */
function showSignIn(missing: MissingSecretReason): void {
  waitForSecret(() => location.reload());
  useSignIn.setState({ missing });
}

function startPort(shell: ZenithShell): void {
  let nonce = "";
  window.addEventListener("message", (event: MessageEvent<unknown>) => {
    const arrived = corePort(event, nonce, { window, origin: location.origin });
    if (!arrived) return;
    // Electron does not deliver transferred buffers to another process.
    attach(portChannel<ToCore, ToWindow>(arrived.port, { transfer: false }));
    if (arrived.reason !== null) emit("coreRestarted", { reason: arrived.reason });
  });
  shell.onCoreAnswering((isAnswering) => useCore.setState({ isSilent: !isAnswering }));
  shell.onCommand((command) => emit("command", { command }));
  nonce = shell.requestCore();
}
