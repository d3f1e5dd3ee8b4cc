import { CheckRun } from './check-run';
import { LiveSecret, Variation } from './check-target';
import { ProbedClient, probeTokenEndpoint } from './probe-token-endpoint';

type Outcome = 'accepted' | 'refused' | 'not_observed';

/**
 * Probes the token endpoint; while two client secrets are live, first with each of them. The check goes on with the first one that
 * the server accepts, else with the first that it does not refuse.
 */
export async function probeSecrets(run: CheckRun, variation: Variation): Promise<ProbedClient> {
  const seen: { live: LiveSecret; outcome: Outcome }[] = [];
  for (const live of run.target.liveSecrets ?? []) {
    run.useSecret(live.secret);
    const client = await run.experiment(() => probeTokenEndpoint(run, variation));
    seen.push({ live, outcome: outcomeOf(client) });
  }
  const used =
    seen.find(({ outcome }) => outcome === 'accepted') ?? seen.find(({ outcome }) => outcome !== 'refused') ?? seen[0];
  if (used) run.useSecret(used.live.secret);
  run.clientSecrets = seen.map(({ live: { which, fingerprint, secret }, outcome }) => ({
    ...{ which, fingerprint, outcome },
    used: secret === used.live.secret,
  }));
  return probeTokenEndpoint(run, variation);
}

/** One form alone was seen to be accepted; none was, if all were refused. */
function outcomeOf({ forms, reachable }: ProbedClient): Outcome {
  if (forms.length === 1) return 'accepted';
  return reachable && forms.length === 0 ? 'refused' : 'not_observed';
}
