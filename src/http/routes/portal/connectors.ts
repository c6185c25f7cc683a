import { z } from 'zod';
import {
  appliedConnectorSchema,
  connectorSchema,
  connectorSummarySchema,
  putConnectorSchema,
} from '../../../core/agents/connectors/definition/shown.ts';
import { type Route, route } from '../../route.ts';
import { pagedRoute } from '../noun-routes.ts';
import { PORTAL } from './support.ts';

const CONNECTORS = `${PORTAL}/connectors`;
const MAX_DEFINITION_BYTES = 2 * 1024 * 1024;
const bySlug = z.strictObject({ slug: z.string().describe('The slug that calls use.') });
const NO_CONNECTOR = 'There is no such connector.';

export const portalConnectorRoutes: Route[] = [
  pagedRoute({
    path: CONNECTORS,
    access: 'portal:administrator',
    tag: 'Portal: connectors',
    summary: 'List connectors',
    description: 'The connectors of the tenant, by slug, without their definitions.',
    page: 'One page of connectors.',
    member: ['connectors', z.array(connectorSummarySchema).describe('The connectors.')],
    list: ({ services, caller, query }) => services.connectors.page(caller.tenantId, query),
  }),
  route({
    method: 'get',
    path: `${CONNECTORS}/:slug`,
    access: 'portal:administrator',
    tag: 'Portal: connectors',
    summary: 'Get a connector',
    description: 'The whole definition, in the form that a PUT takes. There is no secret in it.',
    params: bySlug,
    faults: { 404: NO_CONNECTOR },
    responses: { 200: { description: 'The connector.', schema: connectorSchema } },
    run: async ({ services, caller, params }) => {
      const { createdAt, updatedAt, ...definition } = await services.connectors.get(caller.tenantId, params.slug);
      return { body: { definition, createdAt, updatedAt } };
    },
  }),
  route({
    method: 'put',
    path: `${CONNECTORS}/:slug`,
    access: 'portal:administrator',
    stepUp: true,
    tag: 'Portal: connectors',
    summary: 'Put a connector',
    description:
      'A definition takes the place of the one of this slug as a whole: what it leaves out is as by default. One that reads the environment of the server ({"env": "NAME"}) or allows private networks is for the operator alone. Calls use it within a second.',
    params: bySlug,
    body: { schema: putConnectorSchema, maxBytes: MAX_DEFINITION_BYTES },
    responses: {
      200: { description: 'The connector was replaced.', schema: appliedConnectorSchema },
      201: { description: 'The connector is new.', schema: appliedConnectorSchema },
    },
    run: async ({ services, caller, params, body }) => {
      const applied = await services.connectors.put(caller.tenantId, params.slug, body, caller);
      return { status: applied.outcome === 'created' ? 201 : 200, body: applied };
    },
  }),
  route({
    method: 'delete',
    path: `${CONNECTORS}/:slug`,
    access: 'portal:administrator',
    stepUp: true,
    tag: 'Portal: connectors',
    summary: 'Remove a connector',
    description: 'Calls of it are answered with 404 within a second. The credentials that it lists stay.',
    params: bySlug,
    faults: { 404: NO_CONNECTOR },
    responses: { 204: { description: 'The connector is deleted.' } },
    run: ({ services, caller, params }) => services.connectors.remove(caller.tenantId, params.slug, caller),
  }),
];
