/** What the commands read of the environment. */
export interface PartnerEnvironment {
  readonly url?: string;
  readonly eventKey?: string;
}

/** The one place in which the commands read the environment; empty values count as missing. */
export function partnerEnvironment(env: NodeJS.ProcessEnv = process.env): PartnerEnvironment {
  return { url: env.PODIUM_URL?.trim() || undefined, eventKey: env.PODIUM_EVENT_KEY?.trim() || undefined };
}
