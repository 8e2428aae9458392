// oxlint-disable-next-line import/no-unassigned-import -- it has to be there before any schema is made
import "./schemas.ts";
import "./ui/tokens.css";
import "./ui/base.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { startBridge } from "./bridge/start.ts";
import { App } from "./features/shell/App.tsx";

startBridge();
createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
