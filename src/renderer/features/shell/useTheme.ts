import { useEffect } from "react";
import { useSettings } from "../../stores/settings.ts";

/** Light or dark as set, or as the system has it; told to the style sheet by an attribute. */
export function useTheme(): void {
  const theme = useSettings((s) => s.settings.theme);
  useEffect(() => {
    const system = matchMedia("(prefers-color-scheme: dark)");
    const apply = (): void => {
      const isDark = theme === "dark" || (theme === "system" && system.matches);
      document.documentElement.dataset["theme"] = isDark ? "dark" : "light";
    };
    apply();
    system.addEventListener("change", apply);
    return () => system.removeEventListener("change", apply);
  }, [theme]);
}
