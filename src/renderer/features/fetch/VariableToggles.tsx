import { SATELLITE_VARIABLES, type Variable, variableInfo } from "#shared/service/variables.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { Toggle } from "../../ui/Button.tsx";
import { Hint } from "../../ui/Hint.tsx";
import classes from "./fetch.module.css";

function withChoice(variables: readonly Variable[], asked: readonly Variable[], isChosen: boolean): Variable[] {
  return isChosen ? [...new Set([...variables, ...asked])] : variables.filter((v) => !asked.includes(v));
}

/** Which variables the views show. At least one stays. */
export function VariableToggles() {
  const variables = useWorkspace((s) => s.variables);
  const showSigma = useWorkspace((s) => s.showSigma);
  const choose = (asked: readonly Variable[], isChosen: boolean): void => {
    const next = withChoice(variables, asked, isChosen);
    if (next.length > 0) useWorkspace.setState({ variables: next });
  };
  const hasZtd = variables.includes("ztd");
  return (
    <div role="group" aria-label="Variables" className={classes["group"]}>
      <Hint text={variableInfo("ztd").meaning}>
        <Toggle isSelected={hasZtd} onChange={(on) => choose(["ztd"], on)}>
          ZTD
        </Toggle>
      </Hint>
      <Hint text={variableInfo("ztd_sigma").meaning}>
        <Toggle
          label="±σ, the uncertainty of ZTD as a band"
          isSelected={hasZtd && showSigma}
          isDisabled={!hasZtd}
          onChange={(on) => useWorkspace.setState({ showSigma: on })}
        >
          ±σ
        </Toggle>
      </Hint>
      <Hint text={variableInfo("pwv").meaning}>
        <Toggle isSelected={variables.includes("pwv")} onChange={(on) => choose(["pwv"], on)}>
          PWV
        </Toggle>
      </Hint>
      <Hint text="Elevation, azimuth and C/N0 of every satellite.">
        <Toggle
          isSelected={SATELLITE_VARIABLES.some((v) => variables.includes(v))}
          onChange={(on) => choose(SATELLITE_VARIABLES, on)}
        >
          Satellites
        </Toggle>
      </Hint>
    </div>
  );
}
