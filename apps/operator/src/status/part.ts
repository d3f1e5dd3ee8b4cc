import { errorMessage } from '@podium/runtime/errors';
/** A part of the system and how it is. */
export interface PartStatus {
  readonly part: string;
  /** `attention`: somebody should look; `unknown`: it was not asked. */
  readonly state: 'ok' | 'attention' | 'unknown';
  readonly detail: string;
}

/** The status of a part whose question may fail. */
export async function partStatus(part: string, ask: () => Promise<Omit<PartStatus, 'part'>>): Promise<PartStatus> {
  try {
    return { part, ...(await ask()) };
  } catch (error) {
    return { part, state: 'attention', detail: errorMessage(error) };
  }
}
