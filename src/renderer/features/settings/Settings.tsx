import { BrowserAccess } from "./BrowserAccess.tsx";
import { Updates } from "./Updates.tsx";
import { Setting } from "./Setting.tsx";
import { useCapabilities } from "../../stores/capabilities.ts";
import { useSettings } from "../../stores/settings.ts";
import { Segments, Switch } from "../../ui/choices.tsx";
import { Room, RoomSection } from "../../ui/Room.tsx";
import classes from "./settings.module.css";

const KEYS = {
  protected: "API keys are kept in the secret store of this system, separate from the data.",
  file: "API keys are kept in files that only your account can read, separate from the data, because this system has no secret store.",
  session:
    "This system has no protected place for API keys. They are kept until the program ends; enter them again after the next start.",
  unasked:
    "API keys are kept in the secret store of this system, separate from the data; without a secret store, until the program ends.",
} as const;

/** What is set once for the whole application. */
export function Settings() {
  const { settings, change } = useSettings();
  const { notifications, keys, shell } = useCapabilities();
  return (
    <Room title="Settings">
      <RoomSection title="Appearance">
        <Setting name="Theme" hint="Light, dark, or the system setting.">
          <Segments
            label="Theme"
            value={settings.theme}
            onChange={(theme) => void change({ theme })}
            choices={[
              { value: "system", label: "System" },
              { value: "light", label: "Light" },
              { value: "dark", label: "Dark" },
            ]}
          />
        </Setting>
      </RoomSection>
      <RoomSection title="Measurements">
        <Setting
          name="Local time"
          hint="Times are in UTC everywhere. This shows the time of this computer beside them."
        >
          <Switch isSelected={settings.localTime} onChange={(localTime) => void change({ localTime })}>
            Show local time as a hint
          </Switch>
        </Setting>
        <Setting
          name="Heights of stations"
          hint="Above the WGS 84 ellipsoid, as GNSS measures them, or above mean sea level by the EGM2008 geoid. The details of a station show both; lists and exports show this one."
        >
          <Segments
            label="Heights of stations"
            value={settings.heightReference}
            onChange={(heightReference) => void change({ heightReference })}
            choices={[
              { value: "WGS84_ELLIPSOID", label: "Ellipsoid (WGS 84)" },
              { value: "EGM2008", label: "Sea level (EGM2008)" },
            ]}
          />
        </Setting>
      </RoomSection>
      <RoomSection title="Keyboard">
        <Setting
          name="Single keys"
          hint="F fetches, E exports, 1 to 6 show views, where you are not typing. Turn them off if speech input or stray keys trigger them; shortcuts with Ctrl or ⌘ remain."
        >
          <Switch isSelected={settings.singleKeys} onChange={(singleKeys) => void change({ singleKeys })}>
            Single keys run commands
          </Switch>
        </Setting>
      </RoomSection>
      {notifications ? (
        <RoomSection title="Notifications">
          <Setting name="Long tasks" hint="Shown as a system notification while no window is in front.">
            <Switch isSelected={settings.notify} onChange={(notify) => void change({ notify })}>
              Notify when a long download or export ends
            </Switch>
          </Setting>
        </RoomSection>
      ) : null}
      {shell === "web" ? <BrowserAccess /> : null}
      <Updates />
      <RoomSection title="Keys">
        <p className={classes["text"]}>{KEYS[keys]}</p>
        <p className={classes["text"]}>A key is sent to the address of its connection and nowhere else.</p>
      </RoomSection>
    </Room>
  );
}
