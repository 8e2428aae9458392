import { ChevronDown, Pin, PinOff, Trash2 } from "lucide-react";
import { useCallback, useMemo, useState } from "react";
import { SATELLITE_VARIABLES, SCALAR_VARIABLES, type Variable, variableInfo } from "#shared/service/variables.ts";
import { useIsFile } from "../../stores/connection.ts";
import { bridge } from "../../bridge/index.ts";
import { stationSizesOf } from "../../ask/questions.ts";
import { useAsk } from "../../ask/useAsk.ts";
import { stationName, useCatalogue } from "../../stores/catalogue.ts";
import { orShowFault, showToast, undoable } from "../../stores/toasts.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { Button } from "../../ui/Button.tsx";
import { MenuButton } from "../../ui/MenuButton.tsx";
import type { Sort } from "../../ui/grid/columns.ts";
import { PageSection } from "../../ui/layout.tsx";
import { bytes, count, many } from "../../ui/text.ts";
import { showTask } from "./Maintenance.tsx";
import { bytesOf, SizeTable, sortSizes } from "./SizeTable.tsx";

interface Deletion {
  /** null for all. */
  readonly stationIds: readonly string[] | null;
  /** null for all. */
  readonly variables: readonly Variable[] | null;
  /** Description for messages: "All data of Kallio". */
  readonly what: string;
  /** Called when the deletion is done or undone. */
  readonly onSettled?: () => void;
}

/** Returns a function that deletes cached data after a delay, during which the user can undo it. */
export function useDeleteData(connectionId: string): (deletion: Deletion) => void {
  return useCallback(
    ({ stationIds, variables, what, onSettled }: Deletion) =>
      undoable({
        text: `${what} will be deleted. You can fetch it again.`,
        async commit() {
          const workId = crypto.randomUUID();
          const hide = showTask({ workId, connectionId, label: "Deleting", text: () => `${what} is being deleted.` });
          const forgotten = bridge.cache.forget({ connectionId, stationIds, variables, range: null, workId });
          const answer = await orShowFault(forgotten.finally(hide));
          onSettled?.();
          if (!answer.ok) return;
          const { rows, isStopped } = answer.value;
          showToast(
            isStopped ? `Stopped: ${many(rows, "row")} deleted, the rest is kept.` : `${many(rows, "row")} deleted.`,
          );
        },
        undo: () => onSettled?.(),
      }),
    [connectionId],
  );
}

/** Variables that can be deleted separately; those of satellites only together. */
const VARIABLE_GROUPS: readonly {
  readonly id: string;
  readonly label: string;
  readonly variables: readonly Variable[];
}[] = [
  ...SCALAR_VARIABLES.map((v) => ({ id: v, label: variableInfo(v).label, variables: [v] })),
  { id: "satellites", label: "Satellites", variables: SATELLITE_VARIABLES },
];

/** Sizes by station and variable, with actions for the selected stations. */
export function ByStation({ connectionId }: { readonly connectionId: string }) {
  const { value: sizes, again: reload } = useAsk(stationSizesOf, { connectionId }, { delayMs: 0 });
  const isFile = useIsFile();
  const byId = useCatalogue((s) => s.byId);
  const chosen = useWorkspace((s) => s.stationIds);
  const [order, setOrder] = useState<Sort>({ column: "total", isDescending: true });
  const [marked, setMarked] = useState<readonly string[]>([]);
  const deleteData = useDeleteData(connectionId);
  const rows = useMemo(
    () =>
      sortSizes(
        (sizes ?? []).map((size) => ({ size, name: stationName(byId, size.stationId) })),
        order,
      ),
    [sizes, byId, order],
  );
  const selected = rows.filter((row) => marked.includes(row.size.stationId)).map((row) => row.size);
  const selectedIds = selected.map((size) => size.stationId);
  const isAllPinned = selected.length > 0 && selected.every((size) => size.isPinned);
  const cached = rows.map((row) => row.size.stationId);
  const chosenHere = chosen.filter((id) => cached.includes(id));

  const pin = async (): Promise<void> => {
    const pinned = bridge.cache.pin({ connectionId, stationIds: selectedIds, isPinned: !isAllPinned });
    if ((await orShowFault(pinned)).ok) reload();
  };
  const stationsText =
    selected.length === 1 ? stationName(byId, selectedIds[0] ?? "") : many(selected.length, "station");
  const groups = VARIABLE_GROUPS.map((group) => ({
    ...group,
    bytes: selected.reduce((sum, s) => sum + bytesOf(s, group.variables), 0),
  }));
  const total = selected.reduce((sum, size) => sum + size.totalBytes, 0);

  return (
    <PageSection title="By station">
      {sizes === null ? null : rows.length === 0 ? (
        <p className="flex-[1_1_240px] min-w-0 text-quiet">
          Nothing is cached yet. What you fetch under Explore is listed here with its size.
        </p>
      ) : (
        <>
          <div className="row flex-wrap gap-2 pb-2">
            <span role="status" className="flex-[1_1_200px] min-w-0 text-quiet">
              {selected.length === 0
                ? `${many(rows.length, "station")}${isFile ? "" : "; select the ones to pin or to delete"}.`
                : `${count(selected.length)} of ${many(rows.length, "station")} selected, ${bytes(total)}`}
            </span>
            {selected.length > 0 ? (
              <Button look="quiet" onPress={() => setMarked([])}>
                Select none
              </Button>
            ) : (
              <Button look="quiet" isDisabled={chosenHere.length === 0} onPress={() => setMarked(chosenHere)}>
                Select current stations
              </Button>
            )}
            {isFile ? null : (
              <Button isDisabled={selected.length === 0} onPress={() => void pin()}>
                {isAllPinned ? <PinOff aria-hidden /> : <Pin aria-hidden />}
                {isAllPinned ? "Unpin" : "Pin"}
              </Button>
            )}
            {isFile ? null : (
              <MenuButton
                label="What to delete"
                button={
                  <Button look="danger" isDisabled={selected.length === 0}>
                    <Trash2 aria-hidden />
                    Delete
                    <ChevronDown aria-hidden />
                  </Button>
                }
                entries={[
                  {
                    id: "all",
                    label: "All data of the selected stations",
                    detail: bytes(total),
                    onAction: () =>
                      deleteData({
                        stationIds: selectedIds,
                        variables: null,
                        what: `All data of ${stationsText}`,
                        onSettled: reload,
                      }),
                  },
                  null,
                  ...groups.map(({ id, label, variables, bytes: n }) => ({
                    id,
                    label: `Only ${label}`,
                    detail: bytes(n),
                    isDisabled: n === 0,
                    onAction: () =>
                      deleteData({
                        stationIds: selectedIds,
                        variables,
                        what: `${label} of ${stationsText}`,
                        onSettled: reload,
                      }),
                  })),
                ]}
              />
            )}
          </div>
          <SizeTable rows={rows} order={order} onOrder={setOrder} marked={selectedIds} onMark={setMarked} />
          <p className="caption mt-2">
            Sizes of compressed values; times, plot data and the structure of the file take more. Last used: fetched,
            drawn or exported.
          </p>
        </>
      )}
    </PageSection>
  );
}
