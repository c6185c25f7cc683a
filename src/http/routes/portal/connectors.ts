import { z } from 'zod';
import {
  putCredentialSchema,
  setOutcomeSchema,
  shownCredentialSchema,
} from '../../../core/agents/connectors/credentials/schema.ts';
import {
  appliedVersionSchema,
  connectorSchema,
  connectorSummarySchema,
  connectorVersion,
  putConnectorSchema,
} from '../../../core/agents/connectors/definition/shown.ts';
import { pageOf } from '../../../core/base/shared/paging.ts';
import { type Route, route } from '../../route.ts';
import { pagedRoute } from '../noun-routes.ts';
import { PORTAL } from './login-answer.ts';

const CONNECTORS = `${PORTAL}/connectors`;
const MAX_DEFINITION_BYTES = 2 * 1024 * 1024;
const bySlug = z.strictObject({ slug: z.string().describe('The slug that calls use.') });
const NO_CONNECTOR = 'There is no such connector.';
const OF_CONNECTORS = { access: 'portal:administrator', tag: 'Portal: connectors' } as const;
const OF_CREDENTIALS = { access: 'portal:administrator', tag: 'Portal: credentials' } as const;

export const portalConnectorRoutes: Route[] = [
  pagedRoute({
    path: CONNECTORS,
    ...OF_CONNECTORS,
    summary: 'List connectors',
    description: 'The connectors of the tenant, by slug, without their definitions.',
    page: 'One page of connectors.',
    member: ['connectors', z.array(connectorSummarySchema).describe('The connectors.')],
    list: ({ services, caller, query }) => services.connectors.page(caller.tenantId, query),
  }),
  route({
    method: 'get',
    path: `${CONNECTORS}/:slug`,
    ...OF_CONNECTORS,
    summary: 'Get a connector',
    description: 'The whole definition, in the form that a PUT takes. There is no secret in it.',
    params: bySlug,
    version: connectorVersion,
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
    ...OF_CONNECTORS,
    stepUp: true,
    summary: 'Put a connector',
    description:
      'A definition takes the place of the one of this slug as a whole: what it leaves out is as by default. One that reads the environment of the server ({"env": "NAME"}) or allows private networks is for the operator alone. Calls use it within a second.',
    params: bySlug,
    version: connectorVersion,
    headers: { 'if-none-match': '`*`: only if there is none of this slug yet; otherwise 412.' },
    body: { schema: putConnectorSchema, maxBytes: MAX_DEFINITION_BYTES },
    responses: {
      200: { description: 'The connector was replaced.', schema: appliedVersionSchema },
      201: { description: 'The connector is new.', schema: appliedVersionSchema },
    },
    run: async ({ services, caller, params, body, ifMatch, header }) => {
      const expected = { version: ifMatch, absent: header('if-none-match')?.trim() === '*' };
      const applied = await services.connectors.put(caller.tenantId, params.slug, body, caller, expected);
      return { status: applied.outcome === 'created' ? 201 : 200, body: applied };
    },
  }),
  route({
    method: 'delete',
    path: `${CONNECTORS}/:slug`,
    ...OF_CONNECTORS,
    stepUp: true,
    summary: 'Remove a connector',
    description: 'Calls of it are answered with 404 within a second. The credentials that it lists stay.',
    params: bySlug,
    faults: { 404: NO_CONNECTOR },
    responses: { 204: { description: 'The connector is deleted.' } },
    run: ({ services, caller, params }) => services.connectors.remove(caller.tenantId, params.slug, caller),
  }),
];

const CREDENTIALS = `${PORTAL}/credentials`;
const MAX_CREDENTIAL_BYTES = 32 * 1024;
const byName = z.strictObject({ name: z.string().describe('The name that definitions and calls use.') });

export const credentialRoutes: Route[] = [
  pagedRoute({
    path: CREDENTIALS,
    ...OF_CREDENTIALS,
    summary: 'List credentials',
    description: 'The credentials of the tenant, by name, never with their secrets.',
    page: 'One page of credentials.',
    member: ['credentials', z.array(shownCredentialSchema).describe('The credentials.')],
    list: async ({ services, caller, query }) => pageOf(await services.credentials.list(caller.tenantId), query),
  }),
  route({
    method: 'put',
    path: `${CREDENTIALS}/:name`,
    ...OF_CREDENTIALS,
    stepUp: true,
    summary: 'Set a credential',
    description:
      'Replaces the credential of this name as a whole, which is how a secret is rotated. `hosts` is required for a new credential; left out, the hosts of the replaced credential stay. No answer ever shows the secret. Calls use it within a second.',
    params: byName,
    headers: { 'if-none-match': '`*`: only if there is none of this name yet; otherwise 412.' },
    body: { schema: putCredentialSchema, maxBytes: MAX_CREDENTIAL_BYTES },
    faults: { 412: 'There is a credential of this name already; see If-None-Match.' },
    responses: {
      200: { description: 'The credential was replaced.', schema: setOutcomeSchema },
      201: { description: 'The credential is new.', schema: setOutcomeSchema },
    },
    run: async ({ services, caller, params, body, header }) => {
      const mustBeNew = header('if-none-match')?.trim() === '*';
      const set = await services.credentials.set(caller.tenantId, { ...body, name: params.name }, caller, mustBeNew);
      return { status: set.outcome === 'created' ? 201 : 200, body: set };
    },
  }),
  route({
    method: 'delete',
    path: `${CREDENTIALS}/:name`,
    ...OF_CREDENTIALS,
    stepUp: true,
    summary: 'Remove a credential',
    description: 'Deletes the credential for good; calls lose it within a second.',
    params: byName,
    faults: { 404: 'There is no such credential.', 409: 'A connector lists it.' },
    responses: { 204: { description: 'The credential is deleted.' } },
    run: ({ services, caller, params }) => services.credentials.remove(caller.tenantId, params.name, caller),
  }),
];
