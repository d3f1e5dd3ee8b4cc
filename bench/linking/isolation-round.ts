/** What one round of the part `isolation` does. */
export interface IsolationSteps<Figures> {
  /** Measures beside neighbours that respond, then beside the trouble. */
  readonly neither: () => Promise<Figures>;
  readonly both: () => Promise<Figures>;
  /** Brings the trouble about, where it is not the neighbours' own. */
  readonly begin?: () => Promise<unknown>;
  /** Waits until nothing of it is left. */
  readonly untilOver?: () => Promise<unknown>;
}

/** Runs one round: its trouble is over before the next round measures without it. */
export async function isolationRound<Figures>({
  neither: measureNeither,
  both: measureBoth,
  begin,
  untilOver,
}: IsolationSteps<Figures>): Promise<{ readonly neither: Figures; readonly both: Figures }> {
  const neither = await measureNeither();
  await begin?.();
  const both = await measureBoth();
  await untilOver?.();
  return { neither, both };
}
