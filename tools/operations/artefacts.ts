import { Artefact } from '../generate/artefact';
import { configMaps } from './generators/config-maps';
import { kafkaTopics } from './generators/kafka-topics';
import { kafkaUsers } from './generators/kafka-users';
import { networkPolicies } from './generators/network-policies';
import { secrets } from './generators/secrets';

/** What of k8s/ derives from tables and declarations. */
export async function operationsArtefacts(): Promise<Artefact[]> {
  return [...configMaps(), ...networkPolicies(), ...(await kafkaTopics()), ...kafkaUsers(), ...secrets()];
}
