import { settingsSchema, updateSettingsSchema } from '../../../core/access/auth/schema.ts';
import { settingsOf } from '../../../core/access/auth/tenants.ts';
import { type Route, route } from '../../route.ts';
import { MAX_BYTES, PORTAL } from './support.ts';

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
    body: { schema: updateSettingsSchema, maxBytes: MAX_BYTES },
    faults: {
      409: '`passwordLogin` is switched off only in a session that an identity provider of the tenant opened.',
    },
    responses: { 200: { description: 'The settings as they are now.', schema: settingsSchema } },
    answer: async ({ services, caller, body }) =>
      settingsOf(await services.tenants.changeSettings(caller.tenantId, body, caller)),
  }),
];
