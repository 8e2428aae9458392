import { Button } from "../../ui/Button.tsx";
import { Select } from "../../ui/choices.tsx";
import { NumberField } from "../../ui/NumberField.tsx";
import { EmptyState } from "../../ui/notes.tsx";
import type { Filter } from "./order.ts";
import type { TableColumn } from "./source.ts";
import classes from "./table.module.css";

interface FilterBarProps {
  readonly columns: readonly TableColumn[];
  readonly filter: Filter | null;
  readonly onFilter: (filter: Filter | null) => void;
}

const ALL = "all";
const EVERY = "every";

/** Filters rows: all, or those with a value in one column or in every column, optionally between two bounds. */
export function FilterBar({ columns, filter, onFilter }: FilterBarProps) {
  const choices = [
    { value: ALL, label: "All rows" },
    ...(columns.length > 1 ? [{ value: EVERY, label: "Rows with a value in every column" }] : []),
    ...columns.map((column) => ({ value: column.id, label: `Rows with ${fullName(column)}` })),
  ];
  const filtered = filter && columns.find((column) => column.id === filter.of);
  const value = filter === null ? ALL : (filtered?.id ?? EVERY);
  const choose = (next: string): void => {
    if (next === ALL) return onFilter(null);
    const { atLeast = null, atMost = null } = filter ?? {};
    onFilter({ atLeast, atMost, of: next === EVERY ? null : next });
  };
  const hasNumbers = filtered ? filtered.kind === "number" : columns.some(({ kind }) => kind === "number");
  return (
    <div role="group" aria-label="Filter" className={classes["filter"]}>
      <Select label="Rows to show" choices={choices} value={value} onChange={choose} />
      {filter && hasNumbers ? (
        <>
          <NumberField
            label="At least"
            isLabelHidden
            placeholder="At least"
            value={filter.atLeast}
            onChange={(atLeast) => onFilter({ ...filter, atLeast })}
          />
          <NumberField
            label="At most"
            isLabelHidden
            placeholder="At most"
            value={filter.atMost}
            onChange={(atMost) => onFilter({ ...filter, atMost })}
          />
        </>
      ) : null}
    </div>
  );
}

/** Formats as "Wettzell ZTD mm". */
function fullName({ station, heading }: TableColumn): string {
  return station === null ? heading : `${station} ${heading}`;
}

export function NoRowPasses({ onShowAll }: { readonly onShowAll: () => void }) {
  return (
    <EmptyState title="No rows match the filter" actions={<Button onPress={onShowAll}>Show all rows</Button>}>
      The time range contains no such values.
    </EmptyState>
  );
}
