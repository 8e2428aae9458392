import { useState } from "react";
import { isTimeZone } from "#shared/time/intervals.ts";
import { readModeOf, useMode } from "../../stores/selection.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { Select } from "../../ui/choices.tsx";
import { OneFieldDialog } from "../../ui/OneField.tsx";

const UTC = "UTC";
const COMPUTER_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;
/** List entry for any other time zone. */
const OTHER_ZONE = "other";

/** Chooses the days of which means are: those of UTC, or of a time zone, which are averaged here. */
export function DaysChoice() {
  const mode = readModeOf(useMode());
  const [isOtherOpen, setOtherOpen] = useState(false);
  const zones = new Set([UTC, COMPUTER_ZONE, mode.zone ?? UTC]);
  return (
    <>
      <OneFieldDialog
        title="Days of a time zone"
        isOpen={isOtherOpen}
        onClose={() => setOtherOpen(false)}
        label="Time zone"
        hint="For example Europe/Helsinki. Its days are averaged here, also those of 23 and 25 hours."
        read={(zone) => (isTimeZone(zone) ? zone : null)}
        problem="Type the name of a time zone, like Europe/Helsinki."
        action={(zone) => (zone === null ? "Show" : `Show days of ${zone}`)}
        onSubmit={showDaysOf}
      />
      <Select
        label="Days"
        choices={[
          ...[...zones].map((zone) => ({ value: zone, label: zone === UTC ? "Days in UTC" : `Days of ${zone}` })),
          { value: OTHER_ZONE, label: "Another time zone…" },
        ]}
        value={mode.zone ?? UTC}
        onChange={(zone) => {
          if (zone === OTHER_ZONE) setOtherOpen(true);
          else showDaysOf(zone);
        }}
      />
    </>
  );
}

/** The service has means of days in UTC only. */
function showDaysOf(zone: string): void {
  useWorkspace.setState(zone === UTC ? { zone: undefined } : { zone, resampled: true });
}
