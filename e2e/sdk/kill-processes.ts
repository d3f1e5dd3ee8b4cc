/** A process that a check kills and starts again. */
export interface KillableProcess {
  /** Kills it; resolves with how it had ended by itself before, or null when it ran until then. */
  kill(): Promise<string | null>;
}

/** How often processes are killed, and when. */
export interface Kills<Process extends KillableProcess> {
  readonly count: number;
  readonly start: () => Process;
  /** Resolves when the next kill is due. */
  readonly pause: () => Promise<unknown>;
  readonly onKilled: () => void;
}

/**
 * Starts a process and kills it, again and again; the last one runs on. `ended` says how processes ended by themselves before
 * they were killed: a crash that would otherwise count as a kill.
 */
export async function killProcesses<Process extends KillableProcess>({
  count,
  start,
  pause,
  onKilled,
}: Kills<Process>): Promise<{ readonly running: Process; readonly ended: readonly string[] }> {
  const ended: string[] = [];
  let running = start();
  for (let kills = 0; kills < count; kills++) {
    await pause();
    const end = await running.kill();
    if (end === null) onKilled();
    else ended.push(end);
    running = start();
  }
  return { running, ended };
}
