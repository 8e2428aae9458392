import { portChannel } from "#shared/bridge/port.ts";
import type { ToCore, ToWindow } from "#shared/bridge/protocol.ts";
import { corePort, type ZenithShell } from "#shared/bridge/shell.ts";
import { useEngine } from "../stores/engine.ts";
import { attach, tell } from "./index.ts";
import { keepSocket } from "./socketChannel.ts";

declare global {
  interface Window {
    /** Given by the preload script; absent in the web shell. */
    readonly zenithShell?: ZenithShell;
  }
}

/** Finds the core: through the port that the desktop shell hands over, else through a WebSocket to where the page came from. */
export function startBridge(): void {
  const shell = window.zenithShell;
  if (shell) startPort(shell);
  else
    keepSocket(attach, tell, {
      onState: (state) => useEngine.setState({ lostReason: state.kind === "lost" ? state.reason : null }),
    });
}

function startPort(shell: ZenithShell): void {
  let nonce = "";
  window.addEventListener("message", (event: MessageEvent<unknown>) => {
    const arrived = corePort(event, nonce, { window, origin: location.origin });
    if (!arrived) return;
    attach(portChannel<ToCore, ToWindow>(arrived.port, { transfer: true }));
    if (arrived.reason !== null) tell("engineRestarted", { reason: arrived.reason });
  });
  shell.onCommand((command) => tell("command", { command }));
  nonce = shell.requestCore();
}
