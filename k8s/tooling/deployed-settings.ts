import { fieldsOf } from '../../tools/stack/settings/service-fields';
import { healthPort, servicePort } from './network-policy-table';
import { ServiceName } from './service-needs';

/** Paths of secrets and authorities in the pods of a service. */
export const credentialsFolder = '/run/podium';

/** Seconds that every service keeps serving after its readiness failed, until endpoints, DNS and the gateway have noticed. */
export const drainSeconds = 15;
/** Maximum duration of the shutdown after the drain, seconds. */
export const stopSeconds = 25;

const serviceUrl = (name: ServiceName): string => `http://${name}:${servicePort}`;

/** Values that follow from how the services are deployed; all other fields keep their declared default. */
const deployedValues: Readonly<Record<string, string | ((service: ServiceName) => string)>> = {
  HTTP_PORT: `${servicePort}`,
  HEALTH_PORT: `${healthPort}`,
  DRAIN_SECONDS: `${drainSeconds}`,
  STOP_SECONDS: `${stopSeconds}`,
  INGESTION_URLS: serviceUrl('ingestion'),
  LINKAGE_URL: serviceUrl('linkage'),
  ENGAGEMENT_URL: serviceUrl('engagement'),
  COMPETITION_READ_URL: serviceUrl('competition-read'),
  // The Deployment of the projector overrides it.
  COMPETITION_READ_PARTS: 'reads',
  RATE_LIMIT_MIN_INSTANCES: '2',
  KAFKA_CA_FILE: `${credentialsFolder}/kafka-ca.crt`,
  KAFKA_USERNAME: (service) => service,
  KAFKA_PASSWORD_FILE: `${credentialsFolder}/kafka-password`,
  REDIS_CA_FILE: `${credentialsFolder}/redis-ca.crt`,
};

/** Fields of the connection to Kafka that manifests rely on. */
export const kafkaConnectionFields = ['KAFKA_BROKERS', 'KAFKA_CA_FILE', 'KAFKA_USERNAME', 'KAFKA_PASSWORD_FILE'];

/** The field that the pod sets itself. */
export const fromThePod = 'SERVICE_INSTANCE';

/** The value of a field in every deployment; undefined when only the deployment knows it. */
export function deployedValue(service: ServiceName, name: string, fallback?: string): string | undefined {
  const value = deployedValues[name];
  return typeof value === 'function' ? value(service) : (value ?? fallback);
}

/** Names of the secret fields, which are read from files only. */
export function secretsOf(service: ServiceName): string[] {
  return Object.entries(fieldsOf(service))
    .filter(([, field]) => field.secret)
    .map(([name]) => name);
}
