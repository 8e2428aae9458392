import { Star } from "lucide-react";
import { chooseGroup, useGroups } from "../../stores/groups.ts";
import { IconButton } from "../../ui/Button.tsx";
import { MenuButton } from "../../ui/MenuButton.tsx";
import { count } from "../../ui/text.ts";
import { openGroups, openStationList } from "./dialog.ts";

/** A menu that selects the stations of a group. */
export function GroupsMenu() {
  const groups = useGroups();
  return (
    <MenuButton
      label="Groups of stations"
      button={
        <IconButton label="Groups of stations">
          <Star aria-hidden />
        </IconButton>
      }
      entries={[
        ...groups.map((group) => ({
          id: `group ${group.name}`,
          label: group.name,
          detail: count(group.stationIds.length),
          onAction: () => chooseGroup(group),
        })),
        ...(groups.length > 0 ? [null] : []),
        { id: "edit", label: "Save and edit groups…", onAction: openGroups },
        { id: "list", label: "Select from a list…", onAction: () => openStationList() },
      ]}
    />
  );
}
