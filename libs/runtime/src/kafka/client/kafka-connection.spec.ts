import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kafkaConnection } from './kafka-connection';

const plain = { KAFKA_BROKERS: ['a:9092'], KAFKA_CA_FILE: '', KAFKA_USERNAME: '', KAFKA_PASSWORD_FILE: '' };

describe('kafkaConnection', () => {
  it('uses plain text for brokers without an authority and a user', () => {
    expect(kafkaConnection(plain)).toEqual({ brokers: ['a:9092'], ssl: undefined, sasl: undefined });
  });

  it('re-reads authority and password for each connection', () => {
    const folder = mkdtempSync(join(tmpdir(), 'kafka-connection-'));
    const [ca, password] = [join(folder, 'ca.crt'), join(folder, 'password')];
    const write = (version: number): void => {
      writeFileSync(ca, `authority ${version}`);
      writeFileSync(password, `password-${version}\n`);
    };
    write(1);
    const { ssl, sasl } = kafkaConnection({
      ...plain,
      KAFKA_CA_FILE: ca,
      KAFKA_USERNAME: 'gateway',
      KAFKA_PASSWORD_FILE: password,
    });
    expect({ ...(ssl as object) }).toEqual({ ca: 'authority 1' });
    write(2);
    expect({ ...(ssl as object) }).toEqual({ ca: 'authority 2' });
    expect(sasl).toMatchObject({ mechanism: 'scram-sha-512', username: 'gateway', password: 'password-2' });
  });
});
