import { type ReactNode, useMemo, useState } from "react";
import { stationName, useCatalogue } from "../../stores/catalogue.ts";
import { runCommand } from "../../stores/commands.ts";
import { readModeOf, shownVariables, useSelection } from "../../stores/selection.ts";
import { Button } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/notes.tsx";
import { cacheRows } from "./cacheRows.ts";
import { FilterBar, NoRowPasses } from "./FilterBar.tsx";
import { BY_TIME, validOrder } from "./order.ts";
import { RowTable } from "./RowTable.tsx";

interface CacheTableViewProps {
  readonly connectionId: string;
  readonly stationIds: readonly string[];
  readonly choice: ReactNode;
}

/** The cached rows of stations side by side, with sorting and filter. */
export function CacheTableView({ connectionId, stationIds, choice }: CacheTableViewProps) {
  const chosen = useSelection();
  const byId = useCatalogue((s) => s.byId);
  const [wanted, setOrder] = useState(BY_TIME);
  const query = { connectionId, stationIds, variables: shownVariables(chosen), range: chosen.range };
  const queryKey = JSON.stringify([query, readModeOf(chosen), wanted]);
  const source = useMemo(
    () => cacheRows({ ...query, mode: readModeOf(chosen) }, wanted, (id) => stationName(byId, id)),
    // oxlint-disable-next-line react/exhaustive-deps -- `queryKey` stands for the query, a new object in every render
    [queryKey, byId],
  );
  const order = validOrder(wanted, source.columns);
  return (
    <RowTable
      source={source}
      origin=""
      sorting={{ sort: order.sort, onSort: (sort) => setOrder({ ...order, sort }) }}
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
          <NoRowPasses onShowAll={() => setOrder({ ...order, filter: null })} />
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
