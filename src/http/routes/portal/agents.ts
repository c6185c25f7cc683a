import { z } from 'zod';
import { agentSchema, createAgentSchema } from '../../../core/auth/schema.ts';
import { type Route, route } from '../../route.ts';
import { MAX_BYTES, PORTAL, pageBody, pageQuery, pageShape } from './support.ts';

const AGENTS = `${PORTAL}/agents`;

export const agentRoutes: Route[] = [
  route({
    method: 'get',
    path: AGENTS,
    access: 'portal:user',
    tag: 'Portal: agents',
    summary: 'List agents',
    description: 'The agents of the tenant, by name.',
    query: z.strictObject(pageQuery),
    responses: {
      200: {
        description: 'One page of agents.',
        schema: z.object({ agents: z.array(agentSchema).describe('The agents.'), ...pageShape }),
      },
    },
    run: async ({ services, caller, query }) => ({
      body: pageBody('agents', await services.agents.list(caller, query), query),
    }),
  }),
  route({
    method: 'post',
    path: AGENTS,
    access: 'portal:administrator',
    tag: 'Portal: agents',
    summary: 'Create an agent',
    description: 'Agents also come with their first use; this makes one before it.',
    body: { schema: createAgentSchema, maxBytes: MAX_BYTES },
    faults: { 409: 'There is an agent of that name.' },
    responses: { 201: { description: 'The agent is there.', schema: agentSchema } },
    run: async ({ services, caller, body }) => ({
      status: 201,
      body: await services.agents.create(caller.tenantId, body, caller),
    }),
  }),
];
