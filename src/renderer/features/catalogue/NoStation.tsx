import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { useCatalogue } from "../../stores/catalogue.ts";
import { useIsFilesAlone } from "../../stores/connection.ts";
import { EmptyState } from "../../ui/notes.tsx";

/** Returns the sentence of a view without stations: what the program waits for, or why there are none. Null if there are. */
export function useWhyNoStation(): { readonly title: string; readonly text: string | null } | null {
  const { catalogue, known, isRefreshing, fault } = useCatalogue();
  if (known.length > 0) return null;
  if (isRefreshing) return { title: "Fetching the station list", text: "Stations appear as they arrive." };
  if (fault) return { title: "The station list could not be fetched", text: fault.message };
  return catalogue.fetchedAtMs === null
    ? { title: "No stations yet", text: "The station list of this service has not been downloaded yet." }
    : {
        title: "No stations are visible to this key",
        text: "Ask the issuer of the key for access to networks.",
      };
}

interface NoStationProps {
  readonly icon: LucideIcon;
  /** What to select, and what the view then shows. */
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
}

/** Shown in a view without a station: what to select, as soon as there is something to select from. */
export function NoStation({ icon, children, actions }: NoStationProps) {
  const why = useWhyNoStation();
  const isFilesAlone = useIsFilesAlone();
  if (why && !isFilesAlone) {
    return (
      <EmptyState icon={icon} title={why.title}>
        {why.text}
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={icon} title="No station selected" actions={actions}>
      {children}
    </EmptyState>
  );
}
