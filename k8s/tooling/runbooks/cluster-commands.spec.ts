import { Manifest } from '../generators/yaml-file';
import { clusterCommandProblems } from './cluster-commands';

const kafkaWith = (...listeners: object[]): Manifest => ({
  apiVersion: 'kafka.strimzi.io/v1',
  kind: 'Kafka',
  metadata: { name: 'podium' },
  spec: { kafka: { listeners } },
});
const encrypted = { name: 'tls', port: 9093, tls: true, authentication: { type: 'scram-sha-512' } };
const plain = { name: 'plain', port: 9092, tls: false };
const election = 'kubectl exec $POD -- bin/kafka-leader-election.sh --bootstrap-server localhost:9092 --topic $TOPIC';

const problemsOf = (command: string, ...listeners: object[]): string[] =>
  clusterCommandProblems(`# Page\n\n\`\`\`sh\n${command}\n\`\`\`\n`, kafkaWith(...listeners));

describe('commands of a page on a cluster', () => {
  it.each([
    ['logs of all pods of a Deployment', 'kubectl logs deployment/gateway --all-pods --since=30m | grep error'],
    ['logs of a selector with all lines', 'kubectl logs -l app=a --since=30m --tail=-1 | grep error'],
    ['a request after a pause', 'kubectl port-forward pod/a 9090 & sleep 3; curl -sS localhost:9090/metrics'],
    ['the end of a Job', "kubectl wait --for=jsonpath='{.status.conditions}' --timeout=1h job/a # has ended"],
    ['whether a Job that has ended is complete', 'kubectl wait --for=condition=complete --timeout=10s job/a'],
    ['a tool of Kafka that needs no broker', 'kubectl exec $POD -- bin/kafka-storage.sh random-uuid'],
  ])('have no problem: %s', (_, command) => expect(problemsOf(command, encrypted)).toEqual([]));

  it.each([
    ['logs of a selector', 'kubectl -n a logs -l app=a -c b --since=26h | grep -i error | tail -20', /add --tail=-1/],
    ['the same on two lines', 'kubectl logs --since=26h \\\n  --selector=app=a', /add --tail=-1/],
    ['a request at once', 'kubectl port-forward pod/a 9090 & curl -s localhost:9090/metrics', /before the port is/],
    ['the success of a Job', 'kubectl wait --for=condition=complete --timeout=1h job/a', /when it has failed/],
    [
      'the same by its status',
      "kubectl wait --for=jsonpath='{.status.phase}'=completed backup/a",
      /when it has failed/,
    ],
    ['a listener that is not there', election, /no plain listener at port 9092/],
    ['a listener with TLS and users', election.replace('9092', '9093'), /no plain listener at port 9093/],
  ])('are reported: %s', (_, command, problem) =>
    expect(problemsOf(command, encrypted)).toEqual([expect.stringMatching(problem)]),
  );

  it('may use a plain listener', () => expect(problemsOf(election, encrypted, plain)).toEqual([]));
});
