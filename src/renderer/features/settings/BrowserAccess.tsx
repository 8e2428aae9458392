import { useState } from "react";
import { currentSecret } from "../../bridge/secret.ts";
import { askShell, linkOf } from "../../bridge/webShell.ts";
import { showToast } from "../../stores/toasts.ts";
import { Button } from "../../ui/Button.tsx";
import { RoomSection } from "../../ui/Room.tsx";
import { Setting } from "./Setting.tsx";
import classes from "./settings.module.css";

const NO_ANSWER = "Zenith Desk does not respond. Nothing was changed. Try again.";

async function signOut(): Promise<void> {
  const answer = await askShell("sign-out", currentSecret() ?? "").catch(() => null);
  if (!answer?.ok) showToast(NO_ANSWER, null, "fault");
}

/** Which browsers may show the window of the web shell. */
export function BrowserAccess() {
  const [shown, setShown] = useState<string | null>(null);
  const [isSure, setSure] = useState(false);

  const copyLink = async (): Promise<void> => {
    const answer = await askShell("link", currentSecret() ?? "").catch(() => null);
    if (!answer?.ok) return showToast(NO_ANSWER, null, "fault");
    const link = linkOf((await answer.text()).trim());
    const isCopied = await navigator.clipboard.writeText(link).then(
      () => true,
      () => false,
    );
    // Where the browser does not let a page copy, the user does.
    setShown(isCopied ? null : link);
    if (isCopied) showToast("The link is copied. It signs one browser in, once.");
  };
  return (
    <RoomSection title="Browsers">
      <Setting
        name="Another browser"
        hint="A link signs one browser in, once. Whoever opens it can use this window and its connections as you do."
      >
        <Button onPress={() => void copyLink()}>Copy a link</Button>
      </Setting>
      {shown === null ? null : <p className={classes["link"]}>{shown}</p>}
      <Setting
        name="Sign out everywhere"
        hint="Signs out all browsers, including this one, and revokes unused links. Downloads from the service continue. “zenith web --link” prints a new link."
      >
        {isSure ? (
          <>
            <Button look="danger" onPress={() => void signOut()}>
              Sign out all browsers
            </Button>
            <Button onPress={() => setSure(false)}>Cancel</Button>
          </>
        ) : (
          <Button onPress={() => setSure(true)}>Sign out everywhere</Button>
        )}
      </Setting>
    </RoomSection>
  );
}
