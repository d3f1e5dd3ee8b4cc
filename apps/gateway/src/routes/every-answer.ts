const yearS = 365 * 24 * 60 * 60;

/**
 * Headers of every answer of this deployment, names and values in turn: over https, that browsers come by https alone
 * (RFC 6797). Hosts below this one are not ours to speak for.
 */
export function headersOfEveryAnswer(publicUrl: string): readonly string[] {
  return new URL(publicUrl).protocol === 'https:' ? ['strict-transport-security', `max-age=${yearS}`] : [];
}
