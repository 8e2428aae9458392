import { Fragment } from "react";
import {
  SATELLITE_VARIABLES,
  shortName,
  uncertaintyOf,
  VALUE_VARIABLES,
  type Variable,
  variableInfo,
} from "#shared/service/variables.ts";
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
  return (
    <div role="group" aria-label="Variables" className={classes["group"]}>
      {VALUE_VARIABLES.map((variable) => {
        const isShown = variables.includes(variable);
        const uncertainty = uncertaintyOf(variable);
        return (
          <Fragment key={variable}>
            <Hint text={variableInfo(variable).meaning}>
              <Toggle isSelected={isShown} onChange={(on) => choose([variable], on)}>
                {shortName(variable)}
              </Toggle>
            </Hint>
            {uncertainty === null ? null : (
              <Hint text={variableInfo(uncertainty).meaning}>
                <Toggle
                  label={`±σ, the uncertainty of ${shortName(variable)} as a band`}
                  isSelected={isShown && showSigma}
                  isDisabled={!isShown}
                  onChange={(on) => useWorkspace.setState({ showSigma: on })}
                >
                  ±σ
                </Toggle>
              </Hint>
            )}
          </Fragment>
        );
      })}
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
