import { ChevronDown, Pin, PinOff, Trash2 } from "lucide-react";
import { useMemo, useState } from "react";
import type { StationSize } from "#shared/series/cache.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { SATELLITE_VARIABLES, SCALAR_VARIABLES, type Variable, variableInfo } from "#shared/service/variables.ts";
import { useIsFile, openConnectionId } from "../../stores/connection.ts";
import { bridge } from "../../bridge/index.ts";
import { stationSizesOf } from "../../ask/questions.ts";
import { useAskHere } from "../../ask/useAsk.ts";
import { stationName, useCatalogue } from "../../stores/catalogue.ts";
import { orShowFault, showToast, undoable } from "../../stores/toasts.ts";
import { newWorkId } from "../../stores/work.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { Button, QuietButton } from "../../ui/Button.tsx";
import { MenuButton } from "../../ui/MenuButton.tsx";
import type { Sort } from "../../ui/grid/columns.ts";
import { PageSection } from "../../ui/layout.tsx";
import { bytes, count, many } from "../../ui/text.ts";
import { rangeText } from "../range/labels.ts";
import { showTask } from "./Maintenance.tsx";
import { stationBytes, SizeTable, sortSizes } from "./SizeTable.tsx";

interface Deletion {
  /** null for all. */
  readonly stationIds: readonly string[] | null;
  /** null for all. */
  readonly variables: readonly Variable[] | null;
  /** null for all times. */
  readonly range: TimeRange | null;
  /** Description for messages: "All data of Kallio". */
  readonly what: string;
  /** Called when the deletion is done or undone. */
  readonly onSettled?: () => void;
}

/** Deletes cached data after a delay, during which the user can undo it. */
export function deleteData({ stationIds, variables, range, what, onSettled }: Deletion): void {
  const connectionId = openConnectionId();
  undoable({
    text: `${what} will be deleted. You can fetch it again.`,
    async commit() {
      const workId = newWorkId();
      const hide = showTask({ workId, connectionId, label: "Deleting", text: () => `${what} is being deleted.` });
      const forgotten = bridge.cache.forget({ connectionId, stationIds, variables, range, workId });
      const answer = await orShowFault(forgotten.finally(hide));
      onSettled?.();
      if (!answer.ok) return;
      const { rows, isStopped } = answer.value;
      showToast(
        isStopped ? `Stopped: ${many(rows, "row")} deleted, the rest is kept.` : `${many(rows, "row")} deleted.`,
      );
    },
    undo: () => onSettled?.(),
  });
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
export function ByStation() {
  const { value: sizes, again: reload } = useAskHere(stationSizesOf, {}, { delayMs: 0 });
  const byId = useCatalogue((s) => s.byId);
  const [order, setOrder] = useState<Sort>({ column: "total", isDescending: true });
  const [marked, setMarked] = useState<readonly string[]>([]);
  const rows = useMemo(
    () =>
      sortSizes(
        (sizes ?? []).map((size) => ({ size, name: stationName(byId, size.stationId) })),
        order,
      ),
    [sizes, byId, order],
  );
  const selected = rows.filter((row) => marked.includes(row.size.stationId)).map((row) => row.size);
  return (
    <PageSection title="By station">
      {sizes === null ? null : rows.length === 0 ? (
        <p className="flex-[1_1_240px] min-w-0 text-quiet">
          Nothing is cached yet. What you fetch under Explore is listed here with its size.
        </p>
      ) : (
        <>
          <SizeTools
            cached={rows.map((row) => row.size.stationId)}
            selected={selected}
            onSelect={setMarked}
            onChanged={reload}
          />
          <SizeTable
            rows={rows}
            order={order}
            onOrder={setOrder}
            marked={selected.map((size) => size.stationId)}
            onMark={setMarked}
          />
          <p className="caption mt-2">
            Sizes of compressed values; times, plot data and the structure of the file take more. Last used: fetched,
            drawn or exported.
          </p>
        </>
      )}
    </PageSection>
  );
}

interface SizeToolsProps extends SelectedProps {
  /** Ids of the stations with cached data. */
  readonly cached: readonly string[];
  readonly onSelect: (stationIds: readonly string[]) => void;
}

interface SelectedProps {
  readonly selected: readonly StationSize[];
  /** Called after sizes or pins have changed. */
  readonly onChanged: () => void;
}

/** The number of selected stations, and buttons that select, pin and delete. */
function SizeTools({ cached, selected, onSelect, onChanged }: SizeToolsProps) {
  const isFile = useIsFile();
  const chosen = useWorkspace((s) => s.stationIds);
  const chosenHere = chosen.filter((id) => cached.includes(id));
  const isNone = selected.length === 0;
  const of = { selected, onChanged };
  return (
    <div className="row flex-wrap gap-2 pb-2">
      <span role="status" className="flex-[1_1_200px] min-w-0 text-quiet">
        {isNone
          ? `${many(cached.length, "station")}${isFile ? "" : "; select the ones to pin or to delete"}.`
          : `${count(selected.length)} of ${many(cached.length, "station")} selected, ${bytes(totalOf(selected))}`}
      </span>
      {isNone ? (
        <QuietButton
          label="Select current stations"
          isDisabled={chosenHere.length === 0}
          onPress={() => onSelect(chosenHere)}
        />
      ) : (
        <QuietButton label="Select none" onPress={() => onSelect([])} />
      )}
      {isFile ? null : (
        <>
          <PinButton {...of} />
          <DeleteMenu {...of} />
        </>
      )}
    </div>
  );
}

function totalOf(sizes: readonly StationSize[]): number {
  return sizes.reduce((sum, size) => sum + size.totalBytes, 0);
}

function PinButton({ selected, onChanged }: SelectedProps) {
  const isPinned = selected.length > 0 && selected.every((size) => size.isPinned);
  const pin = async (): Promise<void> => {
    const stationIds = selected.map((size) => size.stationId);
    const pinned = bridge.cache.pin({ connectionId: openConnectionId(), stationIds, isPinned: !isPinned });
    if ((await orShowFault(pinned)).ok) onChanged();
  };
  return (
    <Button isDisabled={selected.length === 0} onPress={() => void pin()} icon={isPinned ? PinOff : Pin}>
      {isPinned ? "Unpin" : "Pin"}
    </Button>
  );
}

function DeleteMenu({ selected, onChanged }: SelectedProps) {
  const byId = useCatalogue((s) => s.byId);
  const stationIds = selected.map((size) => size.stationId);
  const [first = ""] = stationIds;
  const stationsText = selected.length === 1 ? stationName(byId, first) : many(selected.length, "station");
  const range = useWorkspace((s) => s.range);
  const remove = (label: string, part: Partial<Pick<Deletion, "variables" | "range">>): void =>
    deleteData({
      stationIds,
      variables: null,
      range: null,
      what: `${label} of ${stationsText}`,
      onSettled: onChanged,
      ...part,
    });
  return (
    <MenuButton
      label="What to delete"
      button={
        <Button look="danger" isDisabled={selected.length === 0} icon={Trash2}>
          Delete
          <ChevronDown aria-hidden />
        </Button>
      }
      entries={[
        {
          id: "all",
          label: "All data of the selected stations",
          detail: bytes(totalOf(selected)),
          onAction: () => remove("All data", {}),
        },
        {
          id: "range",
          label: `Only the time range ${rangeText(range)}`,
          onAction: () => remove(`The data from ${rangeText(range)}`, { range }),
        },
        null,
        ...VARIABLE_GROUPS.map(({ id, label, variables }) => {
          const size = selected.reduce((sum, s) => sum + stationBytes(s, variables), 0);
          return {
            id,
            label: `Only ${label}`,
            detail: bytes(size),
            isDisabled: size === 0,
            onAction: () => remove(label, { variables }),
          };
        }),
      ]}
    />
  );
}
