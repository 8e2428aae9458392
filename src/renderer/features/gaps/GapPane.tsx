import { FileDown, X } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import { ToggleButton } from "react-aria-components";
import { futureWords, restWords } from "#shared/job/verdict.ts";
import { saveCsv } from "../../stores/saveBlob.ts";
import { showRange } from "../../stores/range.ts";
import { addStation, useWorkspace } from "../../stores/workspace.ts";
import { IconButton, QuietButton } from "../../ui/Button.tsx";
import { Select } from "../../ui/choices.tsx";
import { HatchSwatch } from "../../ui/HatchSwatch.tsx";
import { FaultStrip } from "../../ui/notes.tsx";
import { count, duration } from "../../ui/text.ts";
import { useReturnFocus } from "../../ui/keepFocus.ts";
import { useWhyNoStation } from "../catalogue/NoStation.tsx";
import { gapMark } from "#shared/plot/gapMarks.ts";
import { aroundGap, explained, GAP_COLUMNS, type GapLine, gapsCsv, minimumWords, remedyOf, sumsOf } from "./list.ts";
import { GapActions, openGapMenu } from "./GapActions.tsx";
import classes from "./gaps.module.css";
import { RejectedButton } from "./RejectedButton.tsx";
import { shownOf } from "../../ask/useAsk.ts";
import { GAPS_BUTTON_ID, GAPS_OPEN } from "./GapToggle.tsx";
import { type GapList, MINIMUMS, useGapList } from "./useGapList.ts";
import { usePane } from "../../stores/pane.ts";
import { Grid } from "../../ui/grid/Grid.tsx";

/** The list of gaps of the selection, below any view. */
export function GapPane() {
  const [isOpen] = usePane(GAPS_OPEN);
  return isOpen ? <Pane /> : null;
}

function Pane() {
  const list = useGapList();
  const why = useWhyNoStation();
  const [focused, setFocused] = useState<string | null>(null);
  const { lines, answer } = list;
  const focus = Math.max(
    0,
    lines.findIndex((line) => lineKey(line) === focused),
  );
  const line = lines[focus];
  const unknown = useMemo(() => lines.filter(({ cause }) => remedyOf(cause) === "raw"), [lines]);
  const show = (gap: GapLine): void => {
    const step = shownOf(answer)?.find(
      (s) => s.stationId === gap.stationId && gap.variables.includes(s.variable),
    )?.stepSeconds;
    addStation(gap.stationId);
    showRange(aroundGap(gap.range, step ?? 30));
    useWorkspace.setState({ view: "series" });
  };
  const rows = useMemo(() => ({ count: lines.length, at: (i: number) => lines[i] ?? null }), [lines]);
  const focusOn = (index: number): GapLine | undefined => {
    setFocused(lines[index] ? lineKey(lines[index]) : null);
    return lines[index];
  };
  const pane = useRef<HTMLElement>(null);
  useReturnFocus(pane, GAPS_BUTTON_ID);
  return (
    <section
      ref={pane}
      aria-label="Gaps and their causes"
      data-region
      data-pane="gaps"
      className="stack flex-none h-[40%] min-h-42 border-t border-line-strong bg-surface @container"
      data-stale={answer.earlier !== null || undefined}
    >
      <PaneHead list={list} />
      {answer.fault ? <FaultStrip fault={answer.fault} /> : null}
      {lines.length > 0 ? (
        <Grid
          label="Gaps. Arrow keys move, Enter shows the gap in Series."
          columns={COLUMNS}
          rows={rows}
          sort={list.sort}
          onSort={list.setSort}
          focus={focus}
          onAct={(action) => action.kind !== "all" && focusOn(action.index)}
          onOpen={(index) => lines[index] && show(lines[index])}
          onMenu={(index, at) => {
            const gap = focusOn(index);
            if (gap) openGapMenu(gap, at, () => show(gap));
          }}
        />
      ) : (
        <p className="flex-1 px-3 py-2 text-quiet">{emptyWords(list, why?.title)}</p>
      )}
      {line ? (
        <GapActions
          line={line}
          onShow={() => show(line)}
          findCauses={unknown.length > 1 ? <RejectedButton gaps={unknown} /> : null}
        />
      ) : null}
    </section>
  );
}

function lineKey({ stationId, variables, range }: GapLine): string {
  return `${stationId} ${variables.join()} ${range.startMs}`;
}

/** @param unlisted why no station can be selected */
function emptyWords({ answer, cause, all, minimumSeconds }: GapList, unlisted: string | undefined): string {
  const { stationIds, range } = useWorkspace.getState();
  if (stationIds.length === 0) return unlisted ?? "Select stations in the list to see their gaps.";
  if (!answer.value) return answer.fault ? "" : "Searching for gaps …";
  if (cause !== null && all.length > 0) return "No gap of this cause is that long.";
  const { startMs, endMs } = range;
  const untilMs = Math.min(endMs, ...answer.value.map((s) => s.untilMs));
  if (untilMs <= startMs && endMs > startMs) return `${futureWords(startMs)}.`;
  const found = minimumSeconds > 0 ? `No gap of ${duration(minimumSeconds)} or more.` : "Nothing is missing.";
  return untilMs < endMs ? `${found} Only so far: ${restWords(untilMs)}.` : found;
}

function PaneHead({ list }: { readonly list: GapList }) {
  const { lines, answer } = list;
  const series = shownOf(answer);
  const found = sumsOf(list.all);
  const isGone = list.cause !== null && !found.some(([cause]) => cause === list.cause);
  // The selected cause stays, so that it can be deselected.
  const sums = list.cause !== null && isGone ? [...found, [list.cause, 0] as const] : found;
  return (
    <header className="row flex-wrap gap-x-3 gap-y-1 min-h-10 px-3 py-1">
      <h3>Gaps</h3>
      <span className="text-faint" role="status">
        {series ? (
          <>
            {count(lines.length)} <span className="visually-hidden">listed</span>
          </>
        ) : null}
      </span>
      <Select
        label="Shortest listed gap"
        choices={MINIMUMS.map((m) => ({ value: m, label: minimumWords(m) }))}
        value={list.minimumSeconds}
        onChange={list.setMinimum}
      />
      {/* In a line of their own where the row would be too narrow. */}
      <div
        role="group"
        aria-label="Total by cause"
        className="flex flex-wrap flex-1 gap-x-1 @max-[900px]:order-1 @max-[900px]:flex-[1_0_100%]"
      >
        {sums.map(([cause, seconds]) => (
          <ToggleButton
            key={cause}
            className={classes["sum"]}
            isSelected={list.cause === cause}
            onChange={(isOnly) => list.setCause(isOnly ? cause : null)}
          >
            <HatchSwatch mark={gapMark(cause)} />
            {gapMark(cause).word} {seconds > 0 ? duration(seconds) : "none"}
          </ToggleButton>
        ))}
      </div>
      <span className="flex-1 @min-[900px]:hidden" />
      <QuietButton
        label="CSV"
        isDisabled={lines.length === 0}
        onPress={() => saveCsv(gapsCsv(lines), "zenith-gaps")}
        icon={FileDown}
      />
      <IconButton label="Close the gaps" onPress={() => GAPS_OPEN.set(false)} icon={X} />
    </header>
  );
}

const COLUMNS = GAP_COLUMNS.map((column) =>
  column.id === "cause"
    ? {
        ...column,
        hint: explained,
        renderCell: ({ cause }: GapLine) => (
          <>
            <HatchSwatch mark={gapMark(cause)} /> {gapMark(cause).word}
          </>
        ),
      }
    : column,
);
