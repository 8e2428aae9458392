import { EmptyState } from "../../ui/notes.tsx";

export function SeriesView() {
  return <EmptyState title="Series" />;
}
