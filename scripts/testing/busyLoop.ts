// Keeps a processor busy until its parent ends it, or ends without it. It looks up now and then to notice.
process.on("disconnect", () => process.exit());

function spin(): void {
  const untilMs = performance.now() + 50;
  while (performance.now() < untilMs);
  setImmediate(spin);
}
spin();
