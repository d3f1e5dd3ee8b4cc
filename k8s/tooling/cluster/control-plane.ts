import { generateKeyPairSync, randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { StackFailure } from '../../../tools/stack/failure';
import { StackFolders } from '../../../tools/stack/folders';
import { freePort } from '../../../tools/stack/ports';
import { ServerProcess } from '../../../tools/stack/server-process';
import { KubernetesApi } from './kubernetes-api';

/** Command-line flags of a part; a flag may have no value. */
type Flags = Readonly<Record<string, string | number | boolean>>;

/** The first start compiles nothing, but reads and checks a lot, on a machine that may be busy. */
const startMs = 180_000;

/**
 * A Kubernetes control plane on loopback with everything but kubelets: etcd, API server, controllers, scheduler, and kwok,
 * which simulates nodes and pods. No process outlives the command.
 */
export class ControlPlane {
  private readonly parts: ServerProcess[] = [];

  private constructor(
    private readonly program: string,
    private readonly folders: StackFolders,
    private readonly onCrash: (failure: StackFailure) => void,
    /** For `kubectl --kubeconfig`: an administrator's. */
    readonly kubeconfig: string,
    readonly api: KubernetesApi,
  ) {}

  /** Starts all parts; resolves when the API server is ready and the others run. `onStarted` gets the function that stops them. */
  static async start(
    program: string,
    folders: StackFolders,
    onCrash: (failure: StackFailure) => void,
    onStarted: (stop: () => Promise<void>) => void,
  ): Promise<ControlPlane> {
    const home = folders.data;
    const [etcdPort, peerPort, apiPort] = [await freePort(), await freePort(), await freePort()];
    const server = `https://127.0.0.1:${apiPort}`;
    const token = randomBytes(24).toString('hex');
    const certificate = path.join(home, 'apiserver.crt');
    const kubeconfig = path.join(home, 'kubeconfig.json');
    writeKeys(home, token);
    const api = new KubernetesApi(server, certificate, token);
    const plane = new ControlPlane(program, folders, onCrash, kubeconfig, api);
    onStarted(() => plane.stop());
    const etcd = `http://127.0.0.1:${etcdPort}`;
    plane.run('etcd', etcdFlags(home, etcd, `http://127.0.0.1:${peerPort}`));
    await plane.run('kube-apiserver', apiServerFlags(home, etcd, apiPort)).waitUntil(() => api.isReady(), startMs);
    fs.writeFileSync(kubeconfig, JSON.stringify(kubeconfigOf(server, certificate, token)), { mode: 0o600 });
    plane.run('kube-controller-manager', controllerFlags(home, kubeconfig, certificate));
    plane.run('kube-scheduler', { kubeconfig, 'leader-elect': false, 'secure-port': 0 });
    plane.run('kwok', kwokFlags(kubeconfig));
    for (const part of plane.parts) await part.waitUntil(() => Promise.resolve(true), 0);
    return plane;
  }

  /** Stops all parts, writers before stores. */
  async stop(): Promise<void> {
    await this.api.close();
    for (const part of [...this.parts].reverse()) await part.stop(10_000);
  }

  private run(name: string, flags: Flags): ServerProcess {
    const args = Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`);
    const logPath = path.join(this.folders.logs, `${name}.log`);
    // etcd also reads settings from the environment, which must not affect these parts.
    const env = { PATH: process.env.PATH, HOME: this.folders.data };
    const part = new ServerProcess({ name, command: this.program, args: [name, ...args], logPath, env }, this.onCrash);
    part.spawn();
    this.parts.push(part);
    return part;
  }
}

/** The administrator's token, and the key that signs the tokens of service accounts. */
function writeKeys(home: string, token: string): void {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const write = (name: string, text: string | Buffer): void =>
    fs.writeFileSync(path.join(home, name), text, { mode: 0o600 });
  write('accounts.key', privateKey.export({ type: 'pkcs1', format: 'pem' }));
  write('accounts.pub', publicKey.export({ type: 'spki', format: 'pem' }));
  write('tokens.csv', `${token},administrator,administrator,system:masters\n`);
}

function kubeconfigOf(server: string, certificate: string, token: string): object {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'check',
    clusters: [{ name: 'check', cluster: { server, 'certificate-authority': certificate } }],
    users: [{ name: 'administrator', user: { token } }],
    contexts: [{ name: 'check', context: { cluster: 'check', user: 'administrator' } }],
  };
}

function etcdFlags(home: string, client: string, peer: string): Flags {
  return {
    name: 'check',
    'data-dir': path.join(home, 'etcd'),
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `check=${peer}`,
    // Data need not survive a power cut.
    'unsafe-no-fsync': true,
  };
}

function apiServerFlags(home: string, etcd: string, port: number): Flags {
  return {
    'etcd-servers': etcd,
    'bind-address': '127.0.0.1',
    'advertise-address': '127.0.0.1',
    // No pod calls the API; the address of its Service may not be a loopback one.
    'endpoint-reconciler-type': 'none',
    'secure-port': port,
    'cert-dir': home,
    'service-account-issuer': 'https://kubernetes.default.svc',
    'service-account-signing-key-file': path.join(home, 'accounts.key'),
    'service-account-key-file': path.join(home, 'accounts.pub'),
    'token-auth-file': path.join(home, 'tokens.csv'),
    'authorization-mode': 'RBAC',
    'service-cluster-ip-range': '10.96.0.0/16',
    'allow-privileged': true,
  };
}

function controllerFlags(home: string, kubeconfig: string, certificate: string): Flags {
  return {
    kubeconfig,
    'leader-elect': false,
    'secure-port': 0,
    'service-account-private-key-file': path.join(home, 'accounts.key'),
    'root-ca-file': certificate,
    // On a busy machine kwok may renew node leases late; lost nodes are not tested here.
    'node-monitor-grace-period': '1h',
    // More often than the default of 15 s, so that checks need not wait.
    'horizontal-pod-autoscaler-sync-period': '2s',
  };
}

function kwokFlags(kubeconfig: string): Flags {
  return {
    kubeconfig,
    config: path.join(__dirname, 'simulated-nodes.yaml'),
    'manage-all-nodes': true,
    'node-lease-duration-seconds': 40,
    'node-ip': '10.0.0.1',
    cidr: '10.0.0.0/16',
  };
}
