import { type ReactNode, useMemo, useState } from "react";
import { stationName, useCatalogue } from "../../stores/catalogue.ts";
import { runCommand } from "../../stores/commands.ts";
import { readModeOf, shownVariables, useChosen } from "../../stores/selection.ts";
import { Button } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/notes.tsx";
import { cacheRows } from "./cacheRows.ts";
import { BY_TIME, fitting, pressed, isOf } from "./order.ts";
import { RowTable } from "./RowTable.tsx";
import type { RowFilter } from "#shared/bridge/methods/series.ts";
import { Select } from "../../ui/choices.tsx";
import { NumberField } from "../../ui/NumberField.tsx";
import type { TableColumn } from "./source.ts";
import classes from "./table.module.css";

interface FilterBarProps {
  readonly columns: readonly TableColumn[];
  readonly filter: RowFilter | null;
  readonly onFilter: (filter: RowFilter | null) => void;
}

const ALL = "all";
const EVERY = "every";

/** Which rows are shown: all, or those with a value in a column or in every column, between two bounds. */
function FilterBar({ columns, filter, onFilter }: FilterBarProps) {
  const choices = [
    { value: ALL, label: "All rows" },
    ...(columns.length > 1 ? [{ value: EVERY, label: "Rows with a value in every column" }] : []),
    ...columns.map((column) => ({ value: column.id, label: `Rows with ${fullName(column)}` })),
  ];
  const of = filter && columns.find((column) => isOf(column, filter.of));
  const value = filter === null ? ALL : (of?.id ?? EVERY);
  const choose = (next: string): void => {
    if (next === ALL) return onFilter(null);
    const series = columns.find(({ id }) => id === next)?.series ?? null;
    onFilter({ atLeast: filter?.atLeast ?? null, atMost: filter?.atMost ?? null, of: series });
  };
  const hasNumbers = of ? of.kind === "number" : columns.some(({ kind }) => kind === "number");
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

/** "Wettzell ZTD mm" */
export function fullName({ station, heading }: TableColumn): string {
  return station === null ? heading : `${station} ${heading}`;
}

interface CacheTableViewProps {
  readonly connectionId: string;
  readonly stationIds: readonly string[];
  readonly choice: ReactNode;
}

/** The rows of stations in the cache, side by side, with their order and filter. */
export function CacheTableView({ connectionId, stationIds, choice }: CacheTableViewProps) {
  const chosen = useChosen();
  const byId = useCatalogue((s) => s.byId);
  const [wanted, setOrder] = useState(BY_TIME);
  const query = { connectionId, stationIds, variables: shownVariables(chosen), range: chosen.range };
  const asked = JSON.stringify([query, readModeOf(chosen), wanted]);
  const source = useMemo(
    () => cacheRows({ ...query, mode: readModeOf(chosen) }, wanted, (id) => stationName(byId, id)),
    // oxlint-disable-next-line react/exhaustive-deps -- `asked` stands for the query, which is new with every render
    [asked, byId],
  );
  const order = fitting(wanted, source.columns);
  return (
    <RowTable
      source={source}
      of=""
      sorting={{ sort: order.sort, onSort: (series) => setOrder({ ...order, sort: pressed(order.sort, series) }) }}
      station={
        <>
          {choice}
          <FilterBar
            columns={source.columns}
            filter={order.filter}
            onFilter={(filter) => setOrder({ ...order, filter })}
          />
        </>
      }
      empty={
        order.filter ? (
          <EmptyState
            title="No row passes the filter"
            actions={<Button onPress={() => setOrder({ ...order, filter: null })}>Show all rows</Button>}
          >
            No row of the time range has such values.
          </EmptyState>
        ) : (
          <EmptyState
            title="No rows in this range"
            actions={<Button onPress={() => void runCommand("fetch")}>Fetch</Button>}
          >
            {stationIds.length > 1 ? "No data of these stations are" : "No data of this station are"} cached for the
            selected variables.
          </EmptyState>
        )
      }
    />
  );
}
