import { memo, useState } from "react";
import type { Estimate } from "#shared/job/job.ts";
import {
  SATELLITE_VARIABLES,
  shortName,
  uncertaintyOf,
  VALUE_VARIABLES,
  type Variable,
  VARIABLE_NAMES,
  variableInfo,
} from "#shared/service/variables.ts";
import { DAY_SECONDS, isTimeZone } from "#shared/time/intervals.ts";
import { bridge } from "../../bridge/index.ts";
import { useCommand } from "../../stores/commands.ts";
import { openConnectionId } from "../../stores/connection.ts";
import { type OneVariable, useOneVariable } from "../../stores/oneVariable.ts";
import { canAverage, jobSpecOf, readModeOf, useMode } from "../../stores/selection.ts";
import { showToast } from "../../stores/toasts.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { Hint, Toggle } from "../../ui/Button.tsx";
import { Select, choicesFrom } from "../../ui/choices.tsx";
import { OneFieldDialog } from "../../ui/OneField.tsx";
import { RAW_SHOWN } from "../series/query.ts";
import { intervalChoices, intervalWords, NATIVE, OTHER_INTERVAL, parseInterval } from "./labels.ts";
import classes from "./fetch.module.css";
import { usePane } from "../../stores/pane.ts";

interface VariableTogglesProps {
  /** Whether uncertainties and satellites are offered too, which the plot options and their views show otherwise. */
  readonly all?: boolean;
}

/** Adds variables to those of all views or removes them; at least one stays selected. */
function select(toggled: readonly Variable[], isOn: boolean): void {
  const { variables } = useWorkspace.getState();
  const next = isOn ? [...new Set([...variables, ...toggled])] : variables.filter((v) => !toggled.includes(v));
  if (next.length > 0) useWorkspace.setState({ variables: next });
}

/** The chips: the variables of all views, or the one of a view that shows one. */
export function VariableToggles({ all = false }: VariableTogglesProps) {
  const view = useOneVariable((s) => s.view);
  const hasSatellites = useWorkspace(
    (s) => s.view === "table" || SATELLITE_VARIABLES.some((v) => s.variables.includes(v)),
  );
  const isOne = useWorkspace((s) => ONE_VARIABLE_VIEWS.has(s.view));
  if (isOne && !all) return <OneVariableToggles view={view ?? LOADING} />;
  return (
    <div role="group" aria-label="Variables" className={classes["group"]}>
      {VALUE_VARIABLES.map((variable) => (
        <VariableToggle key={variable} variable={variable} withUncertainty={all} />
      ))}
      {all || hasSatellites ? <SatelliteToggle /> : null}
    </div>
  );
}

/** Views that show one variable; they say which ones they offer. */
const ONE_VARIABLE_VIEWS: ReadonlySet<string> = new Set(["map", "satellites", "availability", "compare"]);
const LOADING: OneVariable = { offered: [], shown: null, choose(): void {} };

/** ZTD and PWV, and what else a view offers; disabled where it does not show them. */
function OneVariableToggles({ view: { offered, shown, choose } }: { readonly view: OneVariable }) {
  return (
    <div role="group" aria-label="Variables" className={classes["group"]}>
      {VARIABLE_NAMES.filter((v) => VALUE_VARIABLES.some((value) => value === v) || offered.includes(v)).map((v) => (
        <Hint key={v} text={v === "prn" ? SATELLITES_MEANING : variableInfo(v).meaning}>
          <Toggle value={v === shown} isDisabled={!offered.includes(v)} onChange={() => choose(v)}>
            {shortName(v)}
          </Toggle>
        </Hint>
      ))}
    </div>
  );
}

const SATELLITES_MEANING = "Elevation, azimuth and C/N0 of every satellite.";

interface VariableToggleProps {
  readonly variable: Variable;
  readonly withUncertainty: boolean;
}

const VariableToggle = memo(function VariableToggle({ variable, withUncertainty }: VariableToggleProps) {
  const isShown = useWorkspace((s) => s.variables.includes(variable));
  const showSigma = useWorkspace((s) => s.showSigma);
  const uncertainty = withUncertainty ? uncertaintyOf(variable) : null;
  return (
    <>
      <Hint text={variableInfo(variable).meaning}>
        <Toggle value={isShown} onChange={(on) => select([variable], on)}>
          {shortName(variable)}
        </Toggle>
      </Hint>
      {uncertainty === null ? null : (
        <Hint text={variableInfo(uncertainty).meaning}>
          <Toggle
            label={`±σ, the uncertainty of ${shortName(variable)} as a band`}
            value={isShown && showSigma}
            isDisabled={!isShown}
            onChange={(on) => useWorkspace.setState({ showSigma: on })}
          >
            ±σ
          </Toggle>
        </Hint>
      )}
    </>
  );
});

function SatelliteToggle() {
  const isShown = useWorkspace((s) => SATELLITE_VARIABLES.some((v) => s.variables.includes(v)));
  return (
    <Hint text={SATELLITES_MEANING}>
      <Toggle value={isShown} onChange={(on) => select(SATELLITE_VARIABLES, on)}>
        Satellites
      </Toggle>
    </Hint>
  );
}

const QUALITY = choicesFrom({ filtered: "Filtered", rejected: "With rejected", raw: "Raw" });
type Quality = (typeof QUALITY)[number]["value"];
/** The other views show either series. */
const QUALITY_ELSEWHERE = QUALITY.filter(({ value }) => value !== "rejected");

/** Chooses the filtered series, the filtered one with rejected data behind it, or the raw one. */
function QualityChoice() {
  const isRaw = useWorkspace((s) => s.raw);
  const isSeries = useWorkspace((s) => s.view === "series");
  const [isRejectedShown, showRejected] = usePane(RAW_SHOWN);
  const value: Quality = isRaw ? "raw" : isRejectedShown && isSeries ? "rejected" : "filtered";
  return (
    // As wide as its longest choice: another choice moves nothing.
    <span className={isSeries ? "[&_button]:w-33" : "[&_button]:w-25"}>
      <Select<Quality>
        label="Quality filter of the service"
        choices={isSeries ? QUALITY : QUALITY_ELSEWHERE}
        value={value}
        onChange={(quality) => {
          if (isSeries) showRejected(quality === "rejected");
          useWorkspace.setState({ raw: quality === "raw" });
        }}
      />
    </span>
  );
}

const AVERAGED = [
  { value: "service", label: "Averaged by the service" },
  { value: "here", label: "Averaged here", detail: "from cached observations" },
] as const;

/** Sets interval, quality filter and where averages are computed. */
export function ModeControls() {
  const { intervalSeconds, resampled, variables } = useMode();
  const [isOtherOpen, setOtherOpen] = useState(false);
  return (
    <>
      <OneFieldDialog
        title="Interval of the means"
        isOpen={isOtherOpen}
        onClose={() => setOtherOpen(false)}
        label="Interval"
        hint="For example 10 min, 90 s or 2 h; at least 30 s."
        read={parseInterval}
        problem="Type an interval like 10 min, of at least 30 s."
        action={(seconds) => (seconds === null ? "Show" : `Show ${intervalWords(seconds)}`)}
        onSubmit={(seconds) => useWorkspace.setState({ intervalSeconds: seconds })}
      />
      <Select
        label="Interval"
        choices={intervalChoices(intervalSeconds)}
        value={intervalSeconds ?? NATIVE}
        onChange={(chosen) => {
          if (chosen === OTHER_INTERVAL) setOtherOpen(true);
          else void showInterval(chosen === NATIVE ? null : chosen);
        }}
      />
      {intervalSeconds !== null && canAverage(variables) ? (
        <Select
          label="Averaged"
          choices={AVERAGED}
          value={resampled ? "here" : "service"}
          onChange={(by) => useWorkspace.setState({ resampled: by === "here" })}
        />
      ) : null}
      {intervalSeconds === DAY_SECONDS && canAverage(variables) ? <DaysChoice /> : null}
      <QualityChoice />
    </>
  );
}

type Cached = Pick<Estimate, "pointsKnown">;

/** Returns where averages are available if only one source has cached data; null if both or none have. */
export function availableAverages(service: Cached, here: Cached): "service" | "here" | null {
  if (service.pointsKnown > 0 === here.pointsKnown > 0) return null;
  return here.pointsKnown > 0 ? "here" : "service";
}

const MESSAGES = {
  here: "Averages are now computed here, because the service's are not cached.",
  service: "Averaged by the service: the observations to average here are not cached.",
} as const;

/** The commands that choose frequent intervals. */
export function IntervalCommands() {
  useCommand("interval.native", () => void showInterval(null));
  useCommand("interval.hour", () => void showInterval(3_600));
  useCommand("interval.day", () => void showInterval(86_400));
  return null;
}

/** Shows averages of another interval, and switches between the service's and local averages if only the others are available. */
async function showInterval(intervalSeconds: number | null): Promise<void> {
  useWorkspace.setState({ intervalSeconds });
  const selection = useWorkspace.getState();
  const connectionId = openConnectionId();
  if (intervalSeconds === null || selection.stationIds.length === 0) return;
  if (!canAverage(selection.variables)) return;
  const costOf = (resampled: boolean) =>
    bridge.jobs.estimate({ connectionId, spec: jobSpecOf({ ...selection, resampled }) });
  const [service, here] = await Promise.all([costOf(false), costOf(true)]);
  // The user may have selected another interval since.
  if (!service.ok || !here.ok || useWorkspace.getState().intervalSeconds !== intervalSeconds) return;
  const by = availableAverages(service.value, here.value);
  if (by === null || selection.resampled === (by === "here")) return;
  useWorkspace.setState({ resampled: by === "here" });
  showToast(MESSAGES[by], { label: "Undo", run: () => useWorkspace.setState({ resampled: by !== "here" }) });
}

const UTC = "UTC";
const COMPUTER_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;
/** List entry for any other time zone. */
const OTHER_ZONE = "other";

/** Chooses the days of which means are: those of UTC, or of a time zone, which are averaged here. */
function DaysChoice() {
  const mode = readModeOf(useMode());
  const [isOtherOpen, setOtherOpen] = useState(false);
  const zones = new Set([UTC, COMPUTER_ZONE, mode.zone ?? UTC]);
  return (
    <>
      <OneFieldDialog
        title="Days of a time zone"
        isOpen={isOtherOpen}
        onClose={() => setOtherOpen(false)}
        label="Time zone"
        hint="For example Europe/Helsinki. Its days are averaged here, also those of 23 and 25 hours."
        read={(zone) => (isTimeZone(zone) ? zone : null)}
        problem="Type the name of a time zone, like Europe/Helsinki."
        action={(zone) => (zone === null ? "Show" : `Show days of ${zone}`)}
        onSubmit={showDaysOf}
      />
      <Select
        label="Days"
        choices={[
          ...[...zones].map((zone) => ({ value: zone, label: zone === UTC ? "Days in UTC" : `Days of ${zone}` })),
          { value: OTHER_ZONE, label: "Another time zone…" },
        ]}
        value={mode.zone ?? UTC}
        onChange={(zone) => {
          if (zone === OTHER_ZONE) setOtherOpen(true);
          else showDaysOf(zone);
        }}
      />
    </>
  );
}

/** The service has means of days in UTC only. */
function showDaysOf(zone: string): void {
  useWorkspace.setState(zone === UTC ? { zone: undefined } : { zone, resampled: true });
}
