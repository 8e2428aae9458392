import { type ReactNode, useMemo, useState } from "react";
import { stationName, useCatalogue } from "../../stores/catalogue.ts";
import { runCommand } from "../../stores/commands.ts";
import { readModeOf, shownVariables, useSelection } from "../../stores/selection.ts";
import { Button } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/notes.tsx";
import { cacheRows } from "./cacheRows.ts";
import { FilterBar, NoRowPasses } from "./FilterBar.tsx";
import { BY_TIME, fitting, pressed } from "./order.ts";
import { RowTable } from "./RowTable.tsx";

interface CacheTableViewProps {
  readonly connectionId: string;
  readonly stationIds: readonly string[];
  readonly choice: ReactNode;
}

/** The rows of stations in the cache, side by side, with their order and filter. */
export function CacheTableView({ connectionId, stationIds, choice }: CacheTableViewProps) {
  const chosen = useSelection();
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
      sorting={{ sort: order.sort, onSort: (by) => setOrder({ ...order, sort: pressed(order.sort, by) }) }}
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
