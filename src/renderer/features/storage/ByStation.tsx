import { ChevronDown, Pin, PinOff, Trash2 } from "lucide-react";
import { useMemo, useState } from "react";
import { SATELLITE_VARIABLES, SCALAR_VARIABLES, type Variable, variableInfo } from "#shared/service/variables.ts";
import { bridge } from "../../bridge/index.ts";
import { stationName, useCatalogue } from "../../stores/catalogue.ts";
import { useConnection } from "../../stores/connection.ts";
import { showFault } from "../../stores/toasts.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { Button } from "../../ui/Button.tsx";
import { MenuButton } from "../../ui/MenuButton.tsx";
import { PageSection } from "../../ui/Page.tsx";
import { bytes, count, many } from "../../ui/text.ts";
import { useForget } from "./forget.ts";
import { bytesOf, type SizeOrder, sortSizes } from "./sizes.ts";
import { SizeTable } from "./SizeTable.tsx";
import classes from "./storage.module.css";
import type { StationSize } from "#shared/series/cacheStatistics.ts";
import { useThrottledCacheQuery } from "../../stores/cacheQuery.ts";

/** What can be forgotten by itself; the four of the satellites belong together. */
const PARTS: readonly { readonly id: string; readonly label: string; readonly variables: readonly Variable[] }[] = [
  ...SCALAR_VARIABLES.map((v) => ({ id: v, label: variableInfo(v).label, variables: [v] })),
  { id: "satellites", label: "Satellites", variables: SATELLITE_VARIABLES },
];

/** Sizes by station and variable, and what can be done with the marked ones. */
export function ByStation({ connectionId }: { readonly connectionId: string }) {
  const { value: sizes, reload } = useThrottledCacheQuery<readonly StationSize[]>(connectionId, (id) =>
    bridge.cache.stations({ connectionId: id }),
  );
  const isFile = useConnection((s) => s.current?.info.kind === "file");
  const byId = useCatalogue((s) => s.byId);
  const chosen = useWorkspace((s) => s.stationIds);
  const [order, setOrder] = useState<SizeOrder>({ column: "total", isDescending: true });
  const [all, setMarked] = useState<readonly string[]>([]);
  const forget = useForget(connectionId);
  const rows = useMemo(
    () =>
      sortSizes(
        (sizes ?? []).map((size) => ({ size, name: stationName(byId, size.stationId) })),
        order,
      ),
    [sizes, byId, order],
  );
  const own = rows.filter((row) => all.includes(row.size.stationId)).map((row) => row.size);
  const marked = own.map((size) => size.stationId);
  const isAllPinned = own.length > 0 && own.every((size) => size.isPinned);
  const cached = rows.map((row) => row.size.stationId);
  const chosenHere = chosen.filter((id) => cached.includes(id));

  const pin = async (): Promise<void> => {
    const answer = await bridge.cache.pin({ connectionId, stationIds: marked, isPinned: !isAllPinned });
    if (answer.ok) reload();
    else showFault(answer.error);
  };
  const whose = own.length === 1 ? stationName(byId, marked[0] ?? "") : many(own.length, "station");
  const parts = PARTS.map((part) => ({ ...part, bytes: own.reduce((sum, s) => sum + bytesOf(s, part.variables), 0) }));
  const total = own.reduce((sum, size) => sum + size.totalBytes, 0);

  return (
    <PageSection title="By station">
      {sizes === null ? null : rows.length === 0 ? (
        <p className={classes["text"]}>
          Nothing is cached yet. What you fetch under Explore is listed here with its size.
        </p>
      ) : (
        <>
          <div className={classes["tools"]}>
            <span role="status" className={classes["grow"]}>
              {own.length === 0
                ? `${many(rows.length, "station")}${isFile ? "" : "; select the ones to pin or to delete"}.`
                : `${count(own.length)} of ${many(rows.length, "station")} selected, ${bytes(total)}`}
            </span>
            {own.length > 0 ? (
              <Button look="quiet" onPress={() => setMarked([])}>
                Select none
              </Button>
            ) : (
              <Button look="quiet" isDisabled={chosenHere.length === 0} onPress={() => setMarked(chosenHere)}>
                Select current stations
              </Button>
            )}
            {isFile ? null : (
              <Button isDisabled={own.length === 0} onPress={() => void pin()}>
                {isAllPinned ? <PinOff aria-hidden /> : <Pin aria-hidden />}
                {isAllPinned ? "Unpin" : "Pin"}
              </Button>
            )}
            {isFile ? null : (
              <MenuButton
                label="What to forget"
                button={
                  <Button look="danger" isDisabled={own.length === 0}>
                    <Trash2 aria-hidden />
                    Forget
                    <ChevronDown aria-hidden />
                  </Button>
                }
                entries={[
                  {
                    id: "all",
                    label: "All data of the selected stations",
                    detail: bytes(total),
                    onAction: () =>
                      forget({ stationIds: marked, variables: null, what: `All data of ${whose}`, onSettled: reload }),
                  },
                  null,
                  ...parts.map(({ id, label, variables, bytes: n }) => ({
                    id,
                    label: `Only ${label}`,
                    detail: bytes(n),
                    isDisabled: n === 0,
                    onAction: () =>
                      forget({ stationIds: marked, variables, what: `${label} of ${whose}`, onSettled: reload }),
                  })),
                ]}
              />
            )}
          </div>
          <SizeTable rows={rows} order={order} onOrder={setOrder} marked={marked} onMark={setMarked} />
          <p className={classes["note"]}>
            Sizes of compressed values; times, plot data and the structure of the file take more. Last used: fetched,
            drawn or exported.
          </p>
        </>
      )}
    </PageSection>
  );
}
