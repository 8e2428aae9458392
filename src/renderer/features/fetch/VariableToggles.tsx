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

/** Selects the variables of all views; at least one stays selected. */
export function VariableToggles() {
  const variables = useWorkspace((s) => s.variables);
  const showSigma = useWorkspace((s) => s.showSigma);
  const select = (toggled: readonly Variable[], isOn: boolean): void => {
    const next = isOn ? [...new Set([...variables, ...toggled])] : variables.filter((v) => !toggled.includes(v));
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
              <Toggle isSelected={isShown} onChange={(on) => select([variable], on)}>
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
          onChange={(on) => select(SATELLITE_VARIABLES, on)}
        >
          Satellites
        </Toggle>
      </Hint>
    </div>
  );
}
