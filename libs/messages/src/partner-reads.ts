/** Internal routes of ingestion from which partners read what is kept of them, by the name of the public route. */
export const partnerReadPaths = {
  contract: '/internal/v1/contract',
  refusals: '/internal/v1/refusals',
  drift: '/internal/v1/drift',
} as const;
export type PartnerRead = keyof typeof partnerReadPaths;
