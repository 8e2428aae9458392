import { once } from "node:events";
import { hasDesktop, openBrowser } from "../browser.ts";
import { usage } from "../exit.ts";
import { listenStop, portNumber } from "../port.ts";
import { type AddCommand, examples } from "./types.ts";

interface WebWords {
  readonly port?: number;
  readonly host?: string;
  readonly open: boolean;
}

export const addWeb: AddCommand = (program, run) => {
  program
    .command("web")
    .summary("open the window in a browser, on this computer or through an SSH tunnel")
    .description(
      "Serves the window to a browser on this computer, and prints the address to open. The address holds a token that is new " +
        "with every start: who does not have it gets nothing. Only this computer itself can reach it; from another one, use an " +
        "SSH tunnel. Ends with Ctrl+C; of downloads under way, everything that arrived is kept.",
    )
    .option("--port <number>", "0 takes any free one (default: 0)", portNumber)
    .option("--host <address>", "127.0.0.1 or ::1: addresses that only this computer can reach (default: 127.0.0.1)")
    .option("--no-open", "only print the address, do not open a browser")
    .addHelpText(
      "after",
      examples(["web", "any free port"], ["web --port 8480", "for a tunnel: ssh -L 8480:127.0.0.1:8480 server"]),
    )
    .action(
      run(async (shell, options: WebWords) => {
        const { listenAddress } = await import("../../web/host.ts");
        const { BUILT, isBuilt } = await import("../../web/built.ts");
        const address = listenAddress(options.host ?? "127.0.0.1");
        if (address === null) {
          throw usage(
            `The window is not served on ${options.host}: others could reach it there. Leave --host out, and come from ` +
              "another computer through an SSH tunnel.",
          );
        }
        if (!isBuilt()) throw usage("The window is not built yet: run “npm start” once, which builds it.");
        const { startWebShell } = await import("../../web/index.ts");
        const web = await startWebShell({
          dataFolder: shell.dataFolder,
          ...BUILT,
          port: options.port ?? 0,
          address,
        }).catch((reason: unknown) => {
          throw listenStop(reason);
        });
        const { output, signal } = shell;
        const { port } = new URL(web.origin);
        output.document({ url: web.origin, link: web.link });
        output.print(`Zenith Desk is at ${web.link}`);
        output.note(
          `From another computer: ssh -L ${port}:127.0.0.1:${port} this-computer, and open the same address there. ` +
            "Ctrl+C ends it.",
        );
        const canOpen = options.open && !output.json && process.stdout.isTTY && hasDesktop();
        const tidy = canOpen ? openBrowser(web.link, shell.dataFolder) : () => {};
        try {
          await web.ready;
          if (!signal.aborted) await once(signal, "abort");
        } finally {
          tidy();
        }
        await web.close();
      }),
    );
};
