/** The redirect URL of an integration at a deployment: its public address and the integration's id (specification, Client). */
export function redirectUrlOf(integrationId: string, publicUrl: string): string {
  return `${publicUrl}/v1/oauth/callback/${integrationId}`;
}
