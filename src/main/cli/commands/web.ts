import { once } from "node:events";
import { hasDesktop, openBrowser } from "../browser.ts";
import { command, type Values } from "../command.ts";
import { usage } from "../exit.ts";
import { listenStop, portWord } from "../options/options.ts";
import type { Shell } from "../shell.ts";
import { onEnter } from "../terminal/prompt.ts";

const WORDS = {
  ...portWord(0),
  "--host <address>": "127.0.0.1 or ::1: addresses that only this computer can reach (default: 127.0.0.1)",
  "--no-open": "do not open a browser",
  "--print-link": "print the link even if the output is not a terminal, such as a log",
  "--link": "print a new link to the running web window, and exit",
  "--sign-out": "sign out all browsers of the running web window, and exit",
};
type WebValues = Values<typeof WORDS>;

export const addWeb = command({
  description:
    "Serves the window to a browser on this computer, and prints a link that signs in one browser, once. Without a link, " +
    "there is no access. Press Enter for another link. Only this computer can connect; from another one, use an SSH " +
    "tunnel. Ctrl+C stops it; data received so far are kept.",
  words: WORDS,
  examples: [
    ["web", "any free port"],
    ["web --port 8480", "for a tunnel: ssh -L 8480:127.0.0.1:8480 server"],
    ["web --link", "a link for another browser"],
  ],
  async run(shell, values) {
    if (values.link && values.signOut) throw usage("Use --link or --sign-out, not both.");
    if (values.signOut) return signOut(shell);
    return values.link ? printLink(shell) : serve(shell, values);
  },
});

async function serve(shell: Shell, values: WebValues): Promise<void> {
  const { listenAddress } = await import("../../web/host.ts");
  const { BUILT, isBuilt } = await import("../../web/built.ts");
  const address = listenAddress(values.host ?? "127.0.0.1");
  if (address === null) {
    throw usage(
      `The window is not served on ${values.host}: others could reach it there. Omit --host. From another ` +
        "computer, use an SSH tunnel.",
    );
  }
  if (!isBuilt()) throw usage("The window is not built yet: run “npm run zenith -- web”, which builds it.");
  const { startWebShell } = await import("../../web/index.ts");
  const web = await startWebShell({
    dataFolder: shell.dataFolder,
    ...BUILT,
    port: values.port ?? 0,
    address,
  }).catch((reason: unknown) => {
    throw listenStop(reason);
  });
  const { output, signal } = shell;
  const isTerminal = process.stdout.isTTY;
  // Output that is not a terminal may be stored, for example in a log, and must not contain a link.
  const link = isTerminal || values.printLink ? web.newLink() : null;
  output.document("web", { url: web.origin, link });
  output.print(`Zenith Desk is at ${link ?? web.origin}`);
  const isWatched = isTerminal && process.stdin.isTTY && !output.json;
  const more = isWatched ? "Press Enter for another one." : `“${shell.suggest("web --link")}” prints another one.`;
  output.note(
    link === null
      ? `“${shell.suggest("web --link")}” prints a link that signs a browser in.`
      : `The link works once. ${more}`,
  );
  const { port } = new URL(web.origin);
  output.note(
    `From another computer: ssh -L ${port}:127.0.0.1:${port} this-computer, and open the link there. Ctrl+C ends it.`,
  );
  const canOpen = values.open && !output.json && isTerminal && hasDesktop();
  // Uses another link, so that the printed one stays valid for another browser.
  const removeFile = canOpen ? openBrowser(web.newLink(), shell.dataFolder) : () => {};
  const stopListening = isWatched ? onEnter(() => output.print(web.newLink())) : () => {};
  try {
    await web.ready;
    if (!signal.aborted) await once(signal, "abort");
  } finally {
    stopListening();
    removeFile();
  }
  await web.close();
}

async function printLink({ dataFolder, output, suggest }: Shell): Promise<void> {
  const { requestLink } = await import("../../web/control.ts");
  const running = await requestLink(dataFolder);
  if (running === null) throw notServed(dataFolder, suggest);
  output.document("web", running);
  output.text(running.link);
  output.note("The link works once.");
}

async function signOut({ dataFolder, output, suggest }: Shell): Promise<void> {
  const { requestSignOut } = await import("../../web/control.ts");
  if (!(await requestSignOut(dataFolder))) throw notServed(dataFolder, suggest);
  output.document("web", { signedOut: true });
  output.print("All browsers are signed out, and unused links are invalid.");
}

function notServed(dataFolder: string, suggest: Shell["suggest"]) {
  return usage(`No web window uses ${dataFolder}. Start one with “${suggest("web")}”.`);
}
