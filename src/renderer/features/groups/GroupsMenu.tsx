import { Star } from "lucide-react";
import { memo } from "react";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import { findListed } from "#shared/station/list.ts";
import { refreshCatalogue, useCatalogue } from "../../stores/catalogue.ts";
import { useNowMs } from "../../stores/clock.ts";
import { chooseGroup, useGroups } from "../../stores/groups.ts";
import { openDialog } from "../../stores/dialogs.ts";
import { IconButton } from "../../ui/Button.tsx";
import { MenuButton } from "../../ui/MenuButton.tsx";
import { ago, count } from "../../ui/text.ts";

/** Whether a pasted text is a list of stations instead of a search query. */
export function isStationList(text: string): boolean {
  return /[\n,;\t]/.test(text.trim());
}

/** Whether a search query is a list that names at least two stations. */
export function namesStations(stations: readonly CatalogueStation[], query: string): boolean {
  return isStationList(query) && findListed(stations, query).ids.length > 1;
}

/** A menu that selects the stations of a group, and fetches the list again. Memoized, so that typing does not rerender it. */
export const GroupsMenu = memo(function GroupsMenu() {
  const { isRefreshing, catalogue } = useCatalogue();
  const nowMs = useNowMs();
  const groups = useGroups();
  return (
    <MenuButton
      label="Groups of stations"
      button={<IconButton label="Groups of stations" icon={Star} />}
      entries={[
        ...groups.map((group) => ({
          id: `group ${group.name}`,
          label: group.name,
          detail: count(group.stationIds.length),
          onAction: () => chooseGroup(group),
        })),
        groups.length > 0 && null,
        { id: "edit", label: "Save and edit groups…", onAction: () => openDialog({ kind: "groups" }) },
        { id: "list", label: "Select from a list…", onAction: () => openDialog({ kind: "stationList", text: "" }) },
        null,
        {
          id: "refresh",
          label: "Refresh the station list",
          ...(catalogue.fetchedAtMs === null ? {} : { detail: ago(catalogue.fetchedAtMs, nowMs) }),
          isDisabled: isRefreshing,
          onAction: () => void refreshCatalogue(),
        },
      ]}
    />
  );
});
