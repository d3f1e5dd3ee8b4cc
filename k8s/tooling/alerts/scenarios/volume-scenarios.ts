import { AlertScenario } from './alert-scenario';

const gib = 1_073_741_824;
const capacityGib = 200;

/** A volume of 200 GiB, as the kubelet of a node reports it: free GiB in promtool's notation, and the change of each sample. */
function volume(claim: string, samples: string, node = 'node-1'): Record<string, string> {
  const labels = `{persistentvolumeclaim="${claim}",node="${node}"}`;
  const inBytes = samples.replaceAll(/\d+(?:\.\d+)?(?=[+x-])/g, (number) => `${Number(number) * gib}`);
  return {
    [`kubelet_volume_stats_available_bytes${labels}`]: inBytes,
    [`kubelet_volume_stats_capacity_bytes${labels}`]: `${capacityGib * gib}x400`,
  };
}

const roomy = volume('podium-postgres-2', '150x400');

/** Scenarios for the alerts about volumes. */
export const volumeScenarios: readonly AlertScenario[] = [
  {
    alert: 'VolumeFills',
    when: 'one of two volumes has been free by a fifth for more than an hour',
    interval: '5m',
    series: { ...volume('podium-postgres-1', '40x400'), ...roomy },
    at: '2h',
    fires: [{ persistentvolumeclaim: 'podium-postgres-1' }],
  },
  {
    alert: 'VolumeFills',
    when: 'half is free, and a former node still reports a volume',
    interval: '5m',
    series: { ...volume('podium-postgres-1', '100x400'), ...volume('podium-postgres-1', '101x400', 'node-2') },
    at: '2h',
    fires: [],
  },
  {
    alert: 'VolumeFills',
    when: 'an import fills a volume for half an hour, and its space is free again',
    interval: '5m',
    series: volume('podium-postgres-1', '100x6 45x6 100x400'),
    at: '2h',
    fires: [],
  },
  {
    alert: 'VolumeFills',
    when: 'no kubelet is scraped',
    interval: '5m',
    series: {},
    at: '2h',
    fires: [{ source: 'kubelet' }],
  },
  {
    alert: 'VolumeAlmostFull',
    when: 'a twentieth is free',
    series: { ...volume('podium-postgres-1-wal', '10x60'), ...roomy },
    at: '10m',
    fires: [{ persistentvolumeclaim: 'podium-postgres-1-wal' }],
  },
  {
    alert: 'VolumeAlmostFull',
    when: 'less than a third is free, and 30 GiB less each hour',
    series: volume('podium-postgres-1-wal', '62-0.25x60'),
    at: '15m',
    fires: [{ persistentvolumeclaim: 'podium-postgres-1-wal' }],
  },
  {
    alert: 'VolumeAlmostFull',
    when: 'less than a third is free, and 6 GiB less each hour',
    series: volume('data-0-podium-broker-0', '62-0.05x60'),
    at: '25m',
    fires: [],
  },
  {
    alert: 'VolumeAlmostFull',
    when: 'a rebuild writes 60 GiB an hour to a volume with room',
    series: volume('podium-postgres-1', '150-0.5x60'),
    at: '25m',
    fires: [],
  },
];
