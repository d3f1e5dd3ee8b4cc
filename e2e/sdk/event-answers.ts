import { WholeStack } from '../../tools/stack/whole-stack';
import { scrape } from '../operations/scrape';

/** Answers to the platform's events, single or in a batch, and how many of them were 429. */
export async function eventAnswers(
  { services }: Pick<WholeStack, 'services'>,
  platform: string,
): Promise<{ all: number; limited: number }> {
  const gateways = services.of('gateway').map(({ name, healthUrl }) => [name, { health_url: healthUrl }] as const);
  const samples = (await scrape(Object.fromEntries(gateways))).filter(
    ({ name, labels }) => name === 'gateway_events_total' && labels.platform === platform,
  );
  const sum = (of: typeof samples): number => of.reduce((total, { value }) => total + value, 0);
  return { all: sum(samples), limited: sum(samples.filter(({ labels }) => labels.outcome === 'rate_limited')) };
}
