/** An operation of the operators' API with what belongs to the organizer of a platform. */
export interface IsolatedOperation {
  /** Parameters that name the platform. */
  readonly query: (platform: string) => Readonly<Record<string, string>>;
}

/** Every operation of ingestion for operators by its id. A further one fails the spec until it has a row here. */
export const ingestionOperations: Readonly<Record<string, IsolatedOperation>> = {
  listRefusals: { query: (platform) => ({ platform }) },
  listDrift: { query: (platform) => ({ platform }) },
};
