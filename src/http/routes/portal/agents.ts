import { z } from 'zod';
import { agentSchema, createAgentSchema } from '../../../core/access/auth/schema.ts';
import { type Route, route } from '../../route.ts';
import { pagedRoute } from '../noun-routes.ts';
import { MAX_BYTES, PORTAL } from './support.ts';

const AGENTS = `${PORTAL}/agents`;

export const agentRoutes: Route[] = [
  pagedRoute({
    path: AGENTS,
    access: 'portal:user',
    tag: 'Portal: agents',
    summary: 'List agents',
    description: 'The agents of the tenant, by name.',
    page: 'One page of agents.',
    member: ['agents', z.array(agentSchema).describe('The agents.')],
    list: ({ services, caller, query }) => services.agents.list(caller, query),
  }),
  route({
    method: 'post',
    path: AGENTS,
    access: 'portal:administrator',
    stepUp: true,
    tag: 'Portal: agents',
    summary: 'Create an agent',
    description: 'Agents also come with their first use; this makes one before it.',
    body: { schema: createAgentSchema, maxBytes: MAX_BYTES },
    faults: { 409: 'There is an agent of that name.' },
    responses: { 201: { description: 'The agent is there.', schema: agentSchema } },
    answer: ({ services, caller, body }) => services.agents.create(caller.tenantId, body, caller),
  }),
];
