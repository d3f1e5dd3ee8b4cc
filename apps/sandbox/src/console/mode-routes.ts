import { ModeName, modeGroups, modes, modesOf, parseSelections, partnerOperations } from '@podium/simulated-partner';
import { FastifyInstance } from 'fastify';
import { Partner } from '../partners/partner';
import { Partners } from '../partners/partners';

/**
 * Mounts the choice of modes. For scripts: `GET /dev/modes` lists all, `GET` and `PUT /dev/partners/{name}/modes` read and
 * replace those in force as `{"modes":[{"mode","at"?,"times"?}]}`. For people: a form of the console.
 */
export function mountModes(fastify: FastifyInstance, partners: Partners): void {
  const partnerOf = (params: unknown): Partner => partners.of((params as { name: string }).name);

  fastify.get('/dev/modes', () => ({
    operations: partnerOperations,
    modes: (Object.keys(modeGroups) as (keyof typeof modeGroups)[]).flatMap((group) =>
      modesOf(group).map(({ name, mode }) => ({
        ...{ name, group, at: mode.at, summary: mode.summary, selectable: mode.kind !== 'listener' },
      })),
    ),
  }));

  fastify.get('/dev/partners/:name/modes', (request) => ({ modes: partnerOf(request.params).modes ?? [] }));

  fastify.put('/dev/partners/:name/modes', (request, reply) => {
    const parsed = parseSelections(request.body);
    if (!parsed.ok) return reply.code(400).send({ error: parsed.problem });
    const partner = partnerOf(request.params);
    partner.modes = parsed.selections;
    partners.changed();
    return reply.send({ modes: partner.modes });
  });

  fastify.post('/console/:name/mode', (request, reply) => {
    const { mode, once } = request.body as { mode?: string; once?: string };
    const partner = partnerOf(request.params);
    const isChosen = mode !== undefined && Object.hasOwn(modes, mode);
    partner.modes = isChosen ? [{ mode: mode as ModeName, ...(once === 'on' ? { times: 1 } : {}) }] : [];
    partners.changed();
    return reply.redirect('/', 303);
  });
}
