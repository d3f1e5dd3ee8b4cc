import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';

/** As Postgres itself counts (`scram_iterations`). */
const iterations = 4096;

/**
 * A password as Postgres stores it (SCRAM-SHA-256, RFC 7677): the server and its log, which may have every DDL statement, never see
 * the password. One that is such a verifier already is returned as it is, as the server would take it.
 */
export function passwordVerifier(password: string): string {
  if (/^SCRAM-SHA-256\$\d+:/.test(password)) return password;
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password.normalize('NFKC'), salt, iterations, 32, 'sha256');
  const keyOf = (name: string): Buffer => createHmac('sha256', salted).update(name).digest();
  const storedKey = createHash('sha256').update(keyOf('Client Key')).digest();
  const keys = [storedKey, keyOf('Server Key')].map((key) => key.toString('base64')).join(':');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${keys}`;
}
