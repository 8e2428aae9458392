import { EmptyState } from "../../ui/notes.tsx";

export function Catalogue() {
  return <EmptyState title="Stations" />;
}
