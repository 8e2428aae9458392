import type { AppFault } from "#shared/fault.ts";
import { exportFileName } from "#shared/file/names.ts";
import type { Result } from "#shared/service/error.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { useConnection } from "../../stores/connection.ts";
import type { Selection } from "./useForecast.ts";

/** The name of the file by a template, as it is typed; or what is wrong with it. */
export function useTemplateName(template: string, request: Selection): Result<string, AppFault> {
  const stations = useCatalogue((s) => s.byId);
  const connectionName = useConnection((s) => s.current?.info.name ?? "");
  return exportFileName(template, { request, stations, connectionName, exportName: null });
}
