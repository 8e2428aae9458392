import { RefreshCw } from "lucide-react";
import { memo } from "react";
import { refreshCatalogue, useCatalogue } from "../../stores/catalogue.ts";
import { useNowMs } from "../../stores/clock.ts";
import { useConnectionId } from "../../stores/connection.ts";
import { IconButton } from "../../ui/Button.tsx";
import { ago } from "../../ui/text.ts";
import classes from "./catalogue.module.css";

/** Refreshes the catalogue, and shows its age. */
export const RefreshButton = memo(function RefreshButton() {
  const connectionId = useConnectionId();
  const isRefreshing = useCatalogue((s) => s.isRefreshing);
  const fetchedAtMs = useCatalogue((s) => s.catalogue.fetchedAtMs);
  const nowMs = useNowMs();
  const age = fetchedAtMs === null ? "" : ago(fetchedAtMs, nowMs);
  return (
    <>
      <span className={classes["age"]}>{isRefreshing ? "fetching" : age}</span>
      <IconButton
        label={age === "" ? "Fetch the station list" : `Refresh the station list, fetched ${age}`}
        isPending={isRefreshing}
        onPress={() => void refreshCatalogue(connectionId)}
        icon={RefreshCw}
      />
    </>
  );
});
