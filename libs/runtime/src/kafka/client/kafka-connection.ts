import { readFileSync } from 'node:fs';
import { ConfigOf, kafkaFields } from '../../config';
import { KafkaOptions } from './create-kafka';

/**
 * The broker connection from the declared fields: TLS when an authority is set, SCRAM when a user is set. The files are
 * read at each new connection, so that a rotation needs no restart.
 */
export function kafkaConnection(config: ConfigOf<typeof kafkaFields>): Pick<KafkaOptions, 'brokers' | 'ssl' | 'sasl'> {
  const { KAFKA_BROKERS, KAFKA_CA_FILE, KAFKA_USERNAME, KAFKA_PASSWORD_FILE } = config;
  return {
    brokers: [...KAFKA_BROKERS],
    ssl: KAFKA_CA_FILE === '' ? undefined : authorityOf(KAFKA_CA_FILE),
    sasl: KAFKA_USERNAME === '' ? undefined : userOf(KAFKA_USERNAME, KAFKA_PASSWORD_FILE),
  };
}

function authorityOf(file: string): KafkaOptions['ssl'] {
  return {
    get ca() {
      return readFileSync(file, 'utf8');
    },
  };
}

function userOf(username: string, passwordFile: string): KafkaOptions['sasl'] {
  return {
    mechanism: 'scram-sha-512',
    username,
    get password() {
      return readFileSync(passwordFile, 'utf8').trim();
    },
  };
}
