import { EmptyState } from "../../ui/notes.tsx";

export function TableView() {
  return <EmptyState title="Table" />;
}
