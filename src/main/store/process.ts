/** Whether a process of this computer is there, whoever it belongs to. */
export function isAlive(pid: number): boolean {
  try {
    // Sends nothing: only asks.
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return thrown instanceof Error && "code" in thrown && thrown.code === "EPERM";
  }
}
