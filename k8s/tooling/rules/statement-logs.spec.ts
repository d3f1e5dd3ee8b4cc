import * as fs from 'node:fs';
import * as path from 'node:path';
import { parse } from 'yaml';
import { Manifest } from '../generators/yaml-file';
import { statementLogs } from './statement-logs';

const cluster = (parameters: Record<string, string> | undefined): Manifest => ({
  apiVersion: 'postgresql.cnpg.io/v1',
  kind: 'Cluster',
  metadata: { name: 'postgres' },
  spec: { postgresql: { parameters } },
});

const problemsOf = (...objects: Manifest[]): readonly string[] => statementLogs([{ name: 'test', objects }]).problems;

describe('the log of Postgres', () => {
  it('has no values of statements in the deployed cluster', () => {
    const file = path.join(__dirname, '../../components/cnpg/cluster.yaml');
    expect(problemsOf(parse(fs.readFileSync(file, 'utf8')) as Manifest)).toEqual([]);
  });

  it.each([
    ['without the setting', undefined, 'log_parameter_max_length'],
    ['with the beginnings of values', { log_parameter_max_length: '64' }, 'log_parameter_max_length'],
    [
      'with those of statements that fail',
      { log_parameter_max_length: '0', log_parameter_max_length_on_error: '-1' },
      'log_parameter_max_length_on_error',
    ],
  ])('has values %s', (_which, parameters, name) => {
    expect(problemsOf(cluster(parameters))).toEqual([
      `test: Cluster postgres logs the values of statements: ${name} is not 0`,
    ]);
  });
});
