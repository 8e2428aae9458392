import { useCapabilities } from "../../stores/capabilities.ts";
import { useSettings } from "../../stores/settings.ts";
import { Segments, Switch, choicesFrom } from "../../ui/choices.tsx";
import { Page, PageSection } from "../../ui/layout.tsx";
import classes from "./settings.module.css";
import { checkForRelease, useReleases } from "../../stores/releases.ts";
import { openDialog } from "../../stores/dialogs.ts";
import { Button } from "../../ui/Button.tsx";
import { useState, type ReactNode } from "react";
import { currentSecret } from "../../bridge/secret.ts";
import { callShell, signInLink } from "../../bridge/webShell.ts";
import { isCopied } from "../../stores/copyText.ts";
import { showToast } from "../../stores/toasts.ts";
import { fieldsOf } from "../../ui/fieldsOf.ts";

const NO_ANSWER = "Zenith Desk does not respond. Nothing was changed. Try again.";

async function signOut(): Promise<void> {
  const answer = await callShell("sign-out", currentSecret() ?? "").catch(() => null);
  if (!answer?.ok) showToast(NO_ANSWER, null, "fault");
}

/** Controls which browsers can show the window of the web shell. */
function BrowserAccess() {
  const [shown, setShown] = useState<string | null>(null);
  const [isSure, setSure] = useState(false);

  const copyLink = async (): Promise<void> => {
    const answer = await callShell("link", currentSecret() ?? "").catch(() => null);
    if (!answer?.ok) return showToast(NO_ANSWER, null, "fault");
    const link = signInLink((await answer.text()).trim());
    const hasCopied = await isCopied(link);
    // If the browser does not allow copying, the link is shown for the user to copy.
    setShown(hasCopied ? null : link);
    if (hasCopied) showToast("The link was copied. It signs in one browser, once.");
  };
  return (
    <PageSection title="Browsers">
      <Setting
        name="Another browser"
        hint="A link signs in one browser, once. Anyone who opens it can use this window and its connections like you."
      >
        <Button onPress={() => void copyLink()}>Copy a link</Button>
      </Setting>
      {shown === null ? null : (
        <p className="px-3 py-1 border border-line rounded-box bg-surface-2 font-code wrap-anywhere select-all">
          {shown}
        </p>
      )}
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
    </PageSection>
  );
}

const KEY_STORAGE = {
  protected: "API keys are kept in the secret store of this system, separate from the data.",
  file: "API keys are kept in files that only your account can read, separate from the data, because this system has no secret store.",
  session:
    "This system has no protected storage for API keys. They are kept until the program ends; enter them again after the next start.",
  unasked:
    "API keys are kept in the secret store of this system, separate from the data; without a secret store, until the program ends.",
} as const;

/** The settings of the whole application. */
export function Settings() {
  const { settings, change } = useSettings();
  const field = fieldsOf(settings, change);
  const { notifications, keys, shell } = useCapabilities();
  return (
    <Page title="Settings">
      <PageSection title="Appearance">
        <Setting name="Theme" hint="Light, dark, or the system setting.">
          <Segments
            label="Theme"
            {...field("theme")}
            choices={choicesFrom({ system: "System", light: "Light", dark: "Dark" })}
          />
        </Setting>
      </PageSection>
      <PageSection title="Measurements">
        <Setting name="Local time" hint="All times are in UTC. This shows the time of this computer beside them.">
          <Switch {...field("localTime")}>Show local time as a hint</Switch>
        </Setting>
        <Setting
          name="Heights of stations"
          hint="Above the WGS 84 ellipsoid, as GNSS measures them, or above mean sea level by the EGM2008 geoid. The details of a station show both; lists and exports show this one."
        >
          <Segments
            label="Heights of stations"
            {...field("heightReference")}
            choices={choicesFrom({ WGS84_ELLIPSOID: "Ellipsoid (WGS 84)", EGM2008: "Sea level (EGM2008)" })}
          />
        </Setting>
      </PageSection>
      <PageSection title="Keyboard">
        <Setting
          name="Single keys"
          hint="F fetches, E exports, a digit shows a view, while you are not typing. Turn them off if speech input or stray keys trigger them; shortcuts with Ctrl or ⌘ remain."
        >
          <Switch {...field("singleKeys")}>Single keys run commands</Switch>
        </Setting>
      </PageSection>
      {notifications ? (
        <PageSection title="Notifications">
          <Setting name="Long tasks" hint="Shown as a system notification while no window is in front.">
            <Switch {...field("notify")}>Notify when a long download or export ends</Switch>
          </Setting>
        </PageSection>
      ) : null}
      {shell === "web" ? <BrowserAccess /> : null}
      <Updates />
      <PageSection title="Keys">
        <p className="max-w-[440px] text-quiet">{KEY_STORAGE[keys]}</p>
        <p className="max-w-[440px] text-quiet">A key is sent to the address of its connection and nowhere else.</p>
      </PageSection>
    </Page>
  );
}

/** Controls the check for new versions; nothing if no release address is configured. */
function Updates() {
  const { address, news, isChecking, problem } = useReleases();
  const { settings, change } = useSettings();
  const field = fieldsOf(settings, change);
  if (address === null) return null;
  return (
    <PageSection title="Updates">
      <Setting
        name="New versions"
        hint={`Asks ${new URL(address).host} for the newest version. Sends no key, no data and nothing about you or this computer, and installs nothing.`}
      >
        <Switch {...field("checkReleases")}>Check once a day</Switch>
        <Button isDisabled={isChecking} onPress={() => void checkForRelease()}>
          Check for a new version
        </Button>
      </Setting>
      <div role="status">
        {problem === null ? null : <p className="max-w-[440px] text-quiet">{problem}</p>}
        {problem === null && news?.newer === null ? (
          <p className="max-w-[440px] text-quiet">This is the newest version.</p>
        ) : null}
        {problem === null && news?.newer ? (
          <p className="max-w-[440px] text-quiet">
            Version {news.newer.version} is available.{" "}
            <Button onPress={() => openDialog({ kind: "release" })}>What is new</Button>
          </p>
        ) : null}
      </div>
    </PageSection>
  );
}

/** A setting: name, explanation and control. */
function Setting(props: { readonly name: string; readonly hint: string; readonly children: ReactNode }) {
  return (
    <div
      className={`${classes["setting"]} grid grid-cols-[minmax(0,1fr)_minmax(0,auto)] gap-x-10 gap-y-2 items-center py-2`}
    >
      <div>
        <h4>{props.name}</h4>
        <p className="max-w-[440px] text-quiet">{props.hint}</p>
      </div>
      <div className={classes["choice"]}>{props.children}</div>
    </div>
  );
}
