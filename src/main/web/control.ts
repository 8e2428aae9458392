import { randomBytes, timingSafeEqual } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { codeOf } from "#shared/fault.ts";
import { LINK_MARK, SHELL_PATH, type ShellCall, TOKEN } from "#shared/bridge/transport/webShell.ts";
import { z } from "zod";
import { shellProof } from "./gate.ts";

/** How the command line of the same user reaches the running shell of a data folder. */
export interface Control {
  readonly origin: string;
  readonly secret: string;
}

const FILE_NAME = "web.json";
const PATIENCE_MS = 5_000;
const schema = z.object({
  origin: z.string().regex(/^http:\/\/(127\.0\.0\.1|\[::1\]):\d{1,5}$/),
  secret: z.string().regex(TOKEN),
});

/** On a read-only or full disk, the command line cannot create links or sign out browsers, but the page works. */
const READ_ONLY: ReadonlySet<string> = new Set(["EROFS", "EACCES", "EPERM"]);
const FULL: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT"]);

/** Writes the shell's address and secret to a file that only the user can read. @returns an object that deletes it */
export function writeControlFile(dataFolder: string, control: Control): { remove(): void } {
  const path = join(dataFolder, FILE_NAME);
  const remove = (): void => rmSync(path, { force: true });
  try {
    // A file left by a killed process may be readable by others.
    remove();
    writeFileSync(path, `${JSON.stringify(control)}\n`, { mode: 0o600, flag: "wx" });
    return { remove };
  } catch (thrown) {
    const code = codeOf(thrown);
    if (FULL.has(code)) remove();
    else if (!READ_ONLY.has(code)) throw thrown;
    return { remove() {} };
  }
}

/** Requests a new link from the running shell of a data folder; null if none runs. */
export async function requestLink(dataFolder: string): Promise<{ readonly url: string; readonly link: string } | null> {
  const control = controlOf(dataFolder);
  const token = control && (await callShell(control, "link"));
  if (!token || !TOKEN.test(token)) return null;
  return { url: control.origin, link: `${control.origin}/${LINK_MARK}${token}` };
}

/** Signs all browsers out of the running shell of a data folder; false if none runs. */
export async function requestSignOut(dataFolder: string): Promise<boolean> {
  const control = controlOf(dataFolder);
  return control !== null && (await callShell(control, "sign-out")) !== null;
}

function controlOf(dataFolder: string): Control | null {
  try {
    return schema.parse(JSON.parse(readFileSync(join(dataFolder, FILE_NAME), "utf8")));
  } catch {
    return null;
  }
}

/**
 * Calls the running shell; null without a valid answer. The file may be left over and its port used by another program,
 * so the server has to prove that it knows the secret before it is sent.
 */
async function callShell({ origin, secret }: Control, call: ShellCall): Promise<string | null> {
  const nonce = randomBytes(32).toString("base64url");
  const proof = Buffer.from((await post(origin, `prove?nonce=${nonce}`)) ?? "");
  const expected = Buffer.from(shellProof(secret, new URL(origin).host, nonce));
  if (proof.length !== expected.length || !timingSafeEqual(proof, expected)) return null;
  return post(origin, call, { authorization: `Bearer ${secret}` });
}

function post(origin: string, call: string, headers: Readonly<Record<string, string>> = {}): Promise<string | null> {
  return new Promise((resolve) => {
    const asked = request(
      `${origin}${SHELL_PATH}${call}`,
      { method: "POST", headers: { origin, ...headers }, agent: false, timeout: PATIENCE_MS },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (piece: string) => (text = (text + piece).slice(0, 1_000)));
        response.on("end", () =>
          resolve(response.statusCode === 200 || response.statusCode === 204 ? text.trim() : null),
        );
        response.on("error", () => resolve(null));
      },
    );
    asked.on("timeout", () => asked.destroy());
    asked.on("error", () => resolve(null));
    asked.end();
  });
}
