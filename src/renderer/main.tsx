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
