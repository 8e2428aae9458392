import type { MissingSecretReason } from "../../bridge/secret.ts";
import { CopyButton } from "../../ui/Button.tsx";
import classes from "./signIn.module.css";

const REASONS: Readonly<Record<MissingSecretReason, string>> = {
  noLink: "This browser is not signed in.",
  usedLink: "This link has been used or is no longer valid. Each link signs in one browser, once.",
  signedOut: "This browser is signed out. Stored data are kept, and downloads from the service continue.",
};
const COMMAND = "zenith web --link";

/** In place of the window, in a browser that the web shell does not let in: how to get a link. */
export function SignInPage({ missing }: { readonly missing: MissingSecretReason }) {
  return (
    <main data-view="sign-in" className="scroll w-full h-full p-8">
      <div className={classes["body"]}>
        <h1 className="text-large">Zenith Desk</h1>
        <p role="status">{REASONS[missing]}</p>
        <h2>Get a new link</h2>
        <ul className="stack gap-3 pl-5">
          <li>Press Enter in the terminal where Zenith Desk runs, and open the link that it prints.</li>
          <li>
            Or run this on the computer where Zenith Desk runs:
            <div className={classes["command"]}>
              <code>{COMMAND}</code>
              <CopyButton text={() => COMMAND}>Copy</CopyButton>
            </div>
          </li>
          <li>Or choose “Copy a link” under Settings in a browser that is signed in.</li>
        </ul>
        <p className="text-quiet">
          If you come through an SSH tunnel that ends at another port, write that port into the link.
        </p>
      </div>
    </main>
  );
}
