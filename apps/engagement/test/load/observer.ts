/** CPU seconds by process since its start. */
export type CpuReading = Readonly<Record<string, number>>;

/** Who runs a load: gets its steps, and reads the processor time of its processes, where that is known. */
export interface LoadObserver {
  say(step: string): void;
  readCpu(): CpuReading;
}

/** Of specs. */
export const noObserver: LoadObserver = { say: () => undefined, readCpu: () => ({}) };
