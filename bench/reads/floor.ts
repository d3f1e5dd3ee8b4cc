import fastify from 'fastify';
import { AddressInfo } from 'node:net';
import { Pool } from 'pg';

/** Sent by the floor's process once it listens on 127.0.0.1. */
export interface FloorReport {
  readonly port: number;
}

/**
 * The minimal server over Postgres: Fastify, one prepared statement by primary key, the stored text unchanged: a document, or a
 * whole response of the service (`stored-pages.ts`). No key, no scopes, no validation of arguments, no ETag.
 */
async function serve(databaseUrl: string, poolSize: number): Promise<void> {
  const pool = new Pool({ connectionString: databaseUrl, max: poolSize });
  const server = fastify();
  server.get<{ Params: { set: string; kind: string; id: string } }>('/:set/:kind/:id', async (request, reply) => {
    const { set, kind, id } = request.params;
    const { rows } = await pool.query<{ body: string }>({
      name: `floor-${set}`,
      text: `SELECT body FROM competition_read.documents_${set === 'a' ? 'a' : 'b'} WHERE kind = $1 AND id = $2`,
      values: [kind, id],
    });
    if (rows.length === 0) return reply.code(404).send();
    return reply.header('content-type', 'application/json; charset=utf-8').send(rows[0].body);
  });
  server.get<{ Params: { id: string } }>('/pages/:id', async (request, reply) => {
    const { rows } = await pool.query<{ body: string }>({
      name: 'floor-pages',
      text: 'SELECT body FROM bench.pages WHERE id = $1',
      values: [request.params.id],
    });
    if (rows.length === 0) return reply.code(404).send();
    return reply.header('content-type', 'application/json; charset=utf-8').send(rows[0].body);
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  const report: FloorReport = { port: (server.server.address() as AddressInfo).port };
  process.send?.(report);
}

process.on('disconnect', () => process.exit(0));
const [databaseUrl, poolSize] = process.argv.slice(2);
void serve(databaseUrl, Number(poolSize));
