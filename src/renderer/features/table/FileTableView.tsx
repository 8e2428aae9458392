import { FileText } from "lucide-react";
import type { ReactNode } from "react";
import { useWorkspace } from "../../stores/workspace.ts";
import { Button } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/notes.tsx";
import { many } from "../../ui/text.ts";
import { rangeOf } from "../files/choice.ts";
import { type FileTable, fileRows } from "./fileRows.ts";
import { RowTable } from "./RowTable.tsx";
import classes from "./table.module.css";

interface FileTableViewProps {
  readonly table: FileTable;
  readonly choice: ReactNode;
}

/** The rows of a station of an opened file, marked as such: they are none of the cache. */
export function FileTableView({ table, choice }: FileTableViewProps) {
  const range = useWorkspace((s) => s.range);
  const { file, series, leftOut } = table;
  const filled = rangeOf(series);
  return (
    <RowTable
      key={table.id}
      source={fileRows(table, range)}
      of={`of ${file.name}`}
      station={
        <>
          {choice}
          <span className={classes["ofFile"]}>
            <FileText aria-hidden />
            Of a file, not in the cache
            {leftOut > 0 ? ` · the first ${series.length} of ${many(series.length + leftOut, "column")}` : ""}
          </span>
        </>
      }
      empty={
        <EmptyState
          icon={<FileText aria-hidden />}
          title="No rows in this range"
          actions={
            filled ? (
              <Button onPress={() => useWorkspace.setState({ range: filled })}>Show where its rows are</Button>
            ) : null
          }
        >
          {file.name} has nothing of {table.label} in the time range.
        </EmptyState>
      }
    />
  );
}
