import { TLSSocket } from 'node:tls';
import { Redis } from 'ioredis';
import { Gauge, Registry } from 'prom-client';

/**
 * Exports when the certificate ends that the server showed at the last connection, Unix seconds. It may be another one than
 * that of the server's secret, because Redis reads its certificate at the start alone. 0 without TLS and before the first
 * connection.
 */
export function showCertificateEnd(redis: Redis, registry: Registry): void {
  const gauge = new Gauge({
    name: 'redis_certificate_expiry_timestamp_seconds',
    help: 'End of the certificate that Redis showed at the last connection; 0 without TLS',
    registers: [registry],
  });
  redis.on('connect', () => {
    const { stream } = redis;
    if (stream instanceof TLSSocket) gauge.set(Date.parse(stream.getPeerCertificate().valid_to) / 1_000);
  });
}
