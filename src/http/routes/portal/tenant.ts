import { z } from 'zod';
import {
  agentSchema,
  createAgentSchema,
  settingsSchema,
  updateSettingsSchema,
} from '../../../core/access/auth/schema.ts';
import { settingsOf } from '../../../core/access/auth/tenants.ts';
import { type Route, route } from '../../route.ts';
import { pagedRoute } from '../noun-routes.ts';
import { MAX_PORTAL_BYTES, PORTAL } from './login-answer.ts';

const SETTINGS = `${PORTAL}/settings`;

export const settingsRoutes: Route[] = [
  route({
    method: 'get',
    path: SETTINGS,
    access: 'portal:user',
    tag: 'Portal: settings',
    summary: "Get the tenant's settings",
    description: 'The time zone of the tenant, for how long it keeps events, and who needs a second factor.',
    responses: { 200: { description: 'The settings.', schema: settingsSchema } },
    answer: ({ services, caller }) => services.tenants.settings(caller),
  }),
  route({
    method: 'patch',
    path: SETTINGS,
    access: 'portal:administrator',
    stepUp: true,
    tag: 'Portal: settings',
    summary: "Change the tenant's settings",
    description:
      'Send only what changes. It holds for every key and user from the next request on; events past their retention are removed within the hour. `secondFactor` applies at the next login of each user; sessions stay.',
    body: { schema: updateSettingsSchema, maxBytes: MAX_PORTAL_BYTES },
    faults: {
      409: '`passwordLogin` is switched off only in a session that an identity provider of the tenant opened.',
    },
    responses: { 200: { description: 'The settings as they are now.', schema: settingsSchema } },
    answer: async ({ services, caller, body }) =>
      settingsOf(await services.tenants.changeSettings(caller.tenantId, body, caller)),
  }),
];

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
    body: { schema: createAgentSchema, maxBytes: MAX_PORTAL_BYTES },
    faults: { 409: 'There is an agent of that name.' },
    responses: { 201: { description: 'The agent is there.', schema: agentSchema } },
    answer: ({ services, caller, body }) => services.agents.create(caller.tenantId, body, caller),
  }),
];
