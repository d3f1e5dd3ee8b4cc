import { errorMessage } from '@podium/runtime/errors';
/** A part of the system and its state. */
export interface PartStatus {
  readonly part: string;
  /** `attention`: needs a check by an operator; `unknown`: not checked. */
  readonly state: 'ok' | 'attention' | 'unknown';
  readonly detail: string;
}

/** The status of a part whose check may fail. */
export async function partStatus(part: string, ask: () => Promise<Omit<PartStatus, 'part'>>): Promise<PartStatus> {
  try {
    return { part, ...(await ask()) };
  } catch (error) {
    return { part, state: 'attention', detail: errorMessage(error) };
  }
}
