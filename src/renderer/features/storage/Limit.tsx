import { useEffect, useState } from "react";
import type { CacheLimit } from "#shared/bridge/methods/cache.ts";
import type { AppFault } from "#shared/fault.ts";
import { bridge } from "../../bridge/index.ts";
import { onCacheChange } from "../../stores/cacheQuery.ts";
import { stationName, useCatalogue } from "../../stores/catalogue.ts";
import { undoable } from "../../stores/toasts.ts";
import { Select } from "../../ui/choices.tsx";
import { FaultNote } from "../../ui/notes.tsx";
import { PageSection } from "../../ui/layout.tsx";
import { bytes, utcMinutes } from "../../ui/text.ts";
import classes from "./storage.module.css";
import { namesText } from "./findings.ts";

const GIGABYTE = 1_000_000_000;
const CHOICES = [0.5, 1, 2, 5, 10, 20, 50, 100, 200].map((n) => n * GIGABYTE);
const NONE = "none";

/** The maximum size of the cache, and the data deleted to keep it. */
export function Limit({ connectionId }: { readonly connectionId: string }) {
  const [limit, setLimit] = useState<CacheLimit | null>(null);
  const [pending, setPending] = useState<number | null>(null);
  const [fault, setFault] = useState<AppFault | null>(null);
  const byId = useCatalogue((s) => s.byId);
  useEffect(() => {
    let isUnmounted = false;
    const load = async (): Promise<void> => {
      const answer = await bridge.cache.limit({ connectionId });
      if (isUnmounted) return;
      if (answer.ok) setLimit(answer.value);
      else setFault(answer.error);
    };
    void load();
    const unfollow = onCacheChange(connectionId, () => void load());
    return () => {
      isUnmounted = true;
      unfollow();
    };
  }, [connectionId]);

  const apply = async (limitBytes: number | null): Promise<void> => {
    const answer = await bridge.cache.setLimit({ connectionId, bytes: limitBytes });
    setPending(null);
    if (answer.ok) setLimit(answer.value);
    setFault(answer.ok ? null : answer.error);
  };
  const choose = (value: string): void => {
    const wanted = value === NONE ? null : Number(value);
    if (wanted === null || !limit || limit.usedBytes <= wanted) return void apply(wanted);
    setPending(wanted);
    undoable({
      text: `${bytes(limit.usedBytes)} are in use: data of the least recently used stations will be deleted down to ${bytes(wanted)}.`,
      commit: () => void apply(wanted),
      undo: () => setPending(null),
    });
  };

  const shown = pending ?? limit?.limitBytes ?? null;
  const sizes = [...new Set([...CHOICES, ...(shown === null ? [] : [shown])])].toSorted((a, b) => a - b);
  return (
    <PageSection title="Size limit">
      <div className={classes["row"]}>
        <p className={classes["text"]}>
          Above the limit, data of the least recently used stations are deleted after a download. Pinned stations, and
          those that a download uses, are kept. Deleted data can be fetched again.
        </p>
        <Select
          label="Size limit"
          isDisabled={limit === null}
          value={shown === null ? NONE : String(shown)}
          onChange={choose}
          choices={[{ value: NONE, label: "No limit" }, ...sizes.map((n) => ({ value: String(n), label: bytes(n) }))]}
        />
      </div>
      {fault ? <FaultNote fault={fault} /> : null}
      <p role="status" className={classes["said"]}>
        {limit ? limitText(limit, pending, (id) => stationName(byId, id)) : null}
      </p>
    </PageSection>
  );
}

/** Describes the space in use and the last deletion that freed space. */
function limitText(
  { limitBytes, usedBytes, last }: CacheLimit,
  pending: number | null,
  name: (id: string) => string,
): string {
  const parts = [`${bytes(usedBytes)} are in use.`];
  if (pending !== null) parts.push("Waiting, so that you can undo it.");
  else if (limitBytes !== null && usedBytes > limitBytes)
    parts.push(
      `That is more than ${bytes(limitBytes)}: the remaining data are pinned or being downloaded. Unpin stations, or raise the limit.`,
    );
  if (last !== null) {
    parts.push(
      `Last freed space at ${utcMinutes(last.atMs)} UTC: deleted data of ${namesText(last.stationIds, name)}, ${bytes(last.freedBytes)}.`,
    );
  }
  return parts.join(" ");
}
