import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A certificate and its private key, PEM. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** What a certificate is for; `days` may be negative. */
export interface CertificateRequest {
  /** For example `IP:127.0.0.1` or `DNS:partner.example`. */
  readonly altName: string;
  readonly days: number;
}

const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** A certificate authority for one run, made with OpenSSL; clients trust it if they are given `cert`. */
export class CertificateAuthority {
  private readonly folder = mkdtempSync(join(tmpdir(), 'certificates-'));
  /** The authority's own certificate, PEM. */
  readonly cert: string;
  private made = 0;

  constructor() {
    openssl('req', '-x509', ...newKey, '-days', '2', '-subj', '/CN=Spec authority', ...this.files('ca'));
    this.cert = this.read('ca.pem');
  }

  /** A certificate of this authority. */
  issue({ altName, days }: CertificateRequest): Certificate {
    const name = `issued-${this.made++}`;
    const [request, ca, caKey, cert] = [`${name}.csr`, 'ca.pem', 'ca.key', `${name}.pem`].map((each) => this.at(each));
    const subject = ['-subj', '/CN=partner', '-addext', `subjectAltName=${altName}`];
    openssl('req', ...newKey, ...subject, '-keyout', this.at(`${name}.key`), '-out', request);
    const authority = ['-CA', ca, '-CAkey', caKey, '-CAcreateserial', '-copy_extensions', 'copy'];
    openssl('x509', '-req', '-in', request, ...authority, '-days', String(days), '-out', cert);
    return { key: this.read(`${name}.key`), cert: this.read(`${name}.pem`) };
  }

  /** A certificate that only itself vouches for. */
  selfSigned({ altName, days }: CertificateRequest): Certificate {
    const name = `self-signed-${this.made++}`;
    const subject = ['-subj', '/CN=partner', '-addext', `subjectAltName=${altName}`];
    openssl('req', '-x509', ...newKey, '-days', String(days), ...subject, ...this.files(name));
    return { key: this.read(`${name}.key`), cert: this.read(`${name}.pem`) };
  }

  /** Removes the files. */
  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private files(name: string): string[] {
    return ['-keyout', this.at(`${name}.key`), '-out', this.at(`${name}.pem`)];
  }

  private at(name: string): string {
    return join(this.folder, name);
  }

  private read(name: string): string {
    return readFileSync(this.at(name), 'utf8');
  }
}

function openssl(...args: string[]): void {
  execFileSync('openssl', args, { stdio: 'pipe' });
}
