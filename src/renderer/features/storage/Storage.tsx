import { useState } from "react";
import type { CacheMaximumSize, MovedCache } from "#shared/bridge/methods/cache.ts";
import { connectionName, useConnection, useConnectionId, useIsFile } from "../../stores/connection.ts";
import { Facts, Page, PageSection, TextRow } from "../../ui/layout.tsx";
import { bytes, count, many, utcMinutes } from "../../ui/text.ts";
import { aboutOf, maximumSizeOf, settlingOf } from "../../ask/questions.ts";
import { useAsk, useAskHere, useCacheSize } from "../../ask/useAsk.ts";
import { useCall } from "../../ask/useCall.ts";
import { Orphans } from "../start/Orphans.tsx";
import { ByStation, deleteData } from "./ByStation.tsx";
import { Damage, Quarantine } from "./Damage.tsx";
import { Maintenance, showTask, TaskRow, useCacheTasks } from "./Maintenance.tsx";
import { Outcome } from "./Outcome.tsx";
import { Button } from "../../ui/Button.tsx";
import { bridge } from "../../bridge/index.ts";
import { useCapabilities } from "../../stores/capabilities.ts";
import { stationName, useCatalogue } from "../../stores/catalogue.ts";
import { undoable } from "../../stores/toasts.ts";
import { Select } from "../../ui/choices.tsx";
import { namesText } from "./findings.ts";
import { FaultNote } from "../../ui/notes.tsx";

/** The cache of the open connection: content, maximum size, maintenance and location. */
export function Storage() {
  const statistics = useCacheSize();
  const isFile = useIsFile();
  return (
    <Page title="Storage">
      <Damage />
      <Quarantine />
      <PageSection title="Content">
        <Facts
          facts={[
            { label: "Size", value: statistics ? bytes(statistics.usedBytes) : "…" },
            { label: "Rows", value: statistics ? count(statistics.rows) : "…" },
            { label: "Stations", value: statistics ? count(statistics.stations) : "…" },
          ]}
        />
        {isFile ? (
          <p className="caption mt-2">
            These data come from a file and are read-only. Remove the connection when you no longer need them.
          </p>
        ) : null}
      </PageSection>
      <RunningTasks />
      <ByStation />
      {isFile ? null : (
        <>
          <LateData />
          <MaximumSize />
        </>
      )}
      <Maintenance size={statistics} />
      <CacheLocation path={statistics?.path ?? null} />
      {isFile ? null : <DeleteAll />}
      <Orphans isSection />
    </Page>
  );
}

/** The running deletions and moves of the connection, wherever in the window they were started. */
function RunningTasks() {
  const connectionId = useConnectionId();
  const tasks = useCacheTasks((s) => s.tasks);
  const own = tasks.filter((task) => task.connectionId === connectionId);
  if (own.length === 0) return null;
  return (
    <PageSection title="In progress">
      {own.map((task) => (
        <TaskRow key={task.workId} task={task} />
      ))}
    </PageSection>
  );
}

/** Deletes all data of the connection; single stations are deleted in the table. */
function DeleteAll() {
  const [isPending, setPending] = useState(false);
  const deleteAll = (): void => {
    setPending(true);
    const what = "Everything cached from this connection";
    deleteData({ stationIds: null, variables: null, range: null, what, onSettled: () => setPending(false) });
  };
  return (
    <PageSection title="Delete">
      <TextRow text="All data of this connection, pinned or not; the list of stations is kept.">
        <Button look="danger" isDisabled={isPending} onPress={deleteAll}>
          Delete everything
        </Button>
      </TextRow>
      <Outcome fault={null} text={isPending ? "Waiting, so that you can undo it." : null} />
    </PageSection>
  );
}

/** Shows the path of the cache file, and moves it. */
function CacheLocation({ path: from }: { readonly path: string | null }) {
  const connectionId = useConnectionId();
  const { fileDialogs } = useCapabilities();
  const warnings = useAsk(aboutOf, {}, { delayMs: 0 }).value?.warnings ?? [];
  const current = useConnection((s) => s.current);
  const [outcome, setOutcome] = useState<{ readonly text: string; readonly isBad: boolean } | null>(null);
  const { isBusy, fault, run } = useCall();

  const move = async (): Promise<void> => {
    const suggestedName = from?.split(/[\\/]/).at(-1) ?? "cache.db";
    const chosen = await bridge.system.chooseSaveFile({ suggestedName, extensions: ["db"] });
    const path = chosen.ok ? chosen.value : chosen;
    if (path === null) return;
    setOutcome(null);
    const answer = await run(async ({ workId }) => {
      if (typeof path !== "string") return path;
      const hide = showTask({ workId, connectionId, label: "Moving", text: () => MOVING });
      return bridge.cache.move({ connectionId, path, workId }).finally(hide);
    });
    if (answer.ok) setOutcome({ text: movedText(answer.value), isBad: answer.value.warning !== null });
    else if (answer.error.kind === "cancelled") setOutcome({ text: answer.error.message, isBad: false });
  };

  return (
    <PageSection title="Location">
      <TextRow text={<span className="wrap-anywhere select-text">{from ?? "…"}</span>}>
        {fileDialogs ? (
          <Button isDisabled={isBusy || from === null} onPress={() => void move()}>
            Move…
          </Button>
        ) : null}
      </TextRow>
      <p className="caption mt-2">
        {fileDialogs
          ? "Moving copies the file, checks the copy, and then deletes the old one; downloads pause. Avoid network shares, which can damage the file."
          : `Move it with the command line while this program is closed: zenith cache move <file> --connection "${current ? connectionName(current.info) : ""}".`}
      </p>
      {warnings.map((text) => (
        <p key={text} className="mt-2 text-warn">
          {text}
        </p>
      ))}
      <Outcome fault={fault} text={outcome?.text ?? null} isBad={outcome?.isBad ?? false} />
    </PageSection>
  );
}

const MOVING = "The cache is being copied, then the copy is checked.";

function movedText({ oldLeftAt, warning }: MovedCache): string {
  const old = oldLeftAt === null ? "The old file was deleted." : `The old file could not be deleted: ${oldLeftAt}.`;
  return ["The cache was moved and checked.", old, ...(warning === null ? [] : [warning])].join(" ");
}

const GIGABYTE = 1_000_000_000;
const CHOICES = [0.5, 1, 2, 5, 10, 20, 50, 100, 200].map((n) => n * GIGABYTE);
const NONE = "none";

/** The maximum size of the cache, and the data deleted to keep it. */
function MaximumSize() {
  const connectionId = useConnectionId();
  const asked = useAskHere(maximumSizeOf, {}, { delayMs: 0 });
  /** What the user set last; the form shows it until the core answers again. */
  const [applied, setApplied] = useState<CacheMaximumSize | null>(null);
  const size = asked.isLoading ? (applied ?? asked.value) : asked.value;
  const [pending, setPending] = useState<number | null>(null);
  const call = useCall();
  const fault = call.fault ?? asked.fault;
  const byId = useCatalogue((s) => s.byId);

  const apply = async (maximumBytes: number | null): Promise<void> => {
    const answer = await call.run(() => bridge.cache.setMaximumSize({ connectionId, bytes: maximumBytes }));
    setPending(null);
    if (answer.ok) setApplied(answer.value);
    asked.again();
  };
  const choose = (value: typeof NONE | number): void => {
    const wanted = value === NONE ? null : value;
    if (wanted === null || !size || size.usedBytes <= wanted) return void apply(wanted);
    setPending(wanted);
    undoable({
      text: `${bytes(size.usedBytes)} are in use: data of the least recently used stations will be deleted down to ${bytes(wanted)}.`,
      commit: () => void apply(wanted),
      undo: () => setPending(null),
    });
  };

  const shown = pending ?? size?.maximumBytes ?? null;
  const sizes = [...new Set([...CHOICES, ...(shown === null ? [] : [shown])])].toSorted((a, b) => a - b);
  return (
    <PageSection title="Maximum size">
      <TextRow text="Above it, data of the least recently used stations are deleted after a download. Pinned stations and stations that a download uses are kept. Deleted data can be fetched again.">
        <Select
          label="Maximum size"
          // A second choice would not withdraw the first, which deletes data when its Undo has passed.
          isDisabled={size === null || pending !== null}
          value={shown ?? NONE}
          onChange={choose}
          choices={[{ value: NONE, label: "No maximum" }, ...sizes.map((n) => ({ value: n, label: bytes(n) }))]}
        />
      </TextRow>
      <Outcome fault={fault} text={size ? sizeText(size, pending, (id) => stationName(byId, id)) : null} />
    </PageSection>
  );
}

/** Describes the space in use and the last deletion that freed space. */
function sizeText(
  { maximumBytes, usedBytes, last }: CacheMaximumSize,
  pending: number | null,
  name: (id: string) => string,
): string {
  const parts = [`${bytes(usedBytes)} are in use.`];
  if (pending !== null) parts.push("Waiting, so that you can undo it.");
  else if (maximumBytes !== null && usedBytes > maximumBytes)
    parts.push(
      `That is more than ${bytes(maximumBytes)}: the remaining data are pinned or being downloaded. Unpin stations, or raise the maximum size.`,
    );
  if (last !== null) {
    parts.push(
      `Space was last freed at ${utcMinutes(last.atMs)} UTC: ${bytes(last.freedBytes)} of ${namesText(last.stationIds, name)} were deleted.`,
    );
  }
  return parts.join(" ");
}

const SETTLING_HOURS = [6, 12, 24, 48, 72, 168, 336, 720];

function hourWords(hours: number): string {
  return hours >= 72 && hours % 24 === 0 ? many(hours / 24, "day") : `${hours} h`;
}

/** For how long data of the connection may arrive late. */
function LateData() {
  const connectionId = useConnectionId();
  const asked = useAskHere(settlingOf, {}, { delayMs: 0 });
  const call = useCall();
  const hours = asked.value?.hours ?? null;
  const fault = call.fault ?? asked.fault;
  const choose = async (next: number): Promise<void> => {
    await call.run(() => bridge.connections.setSettling({ connectionId, hours: next }));
    asked.again();
  };
  const choices = [...new Set([...SETTLING_HOURS, ...(hours === null ? [] : [hours])])].toSorted((a, b) => a - b);
  return (
    <PageSection title="Late data">
      <TextRow text="Data of this period may still arrive. Until then, its gaps count as “missing, may still arrive”, and its means are requested again. After the last value of a station that fell silent, it is seven times as long.">
        {hours === null ? null : (
          <Select
            label="Data may arrive late for"
            choices={choices.map((each) => ({ value: each, label: hourWords(each) }))}
            value={hours}
            onChange={(next) => void choose(next)}
          />
        )}
      </TextRow>
      {fault ? <FaultNote fault={fault} /> : null}
    </PageSection>
  );
}
