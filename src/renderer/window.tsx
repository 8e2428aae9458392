import { defined } from "#shared/defined.ts";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./features/shell/App.tsx";

export function show(): void {
  createRoot(defined(document.getElementById("root"))).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
