import { z } from 'zod';
import {
  circuitSchema,
  triedCallSchema,
  tryConnectorSchema,
} from '../../../core/agents/connectors/call/trial-schema.ts';
import { advertisedTool } from '../../../core/agents/connectors/exposed.ts';
import { importPreviewSchema, previewImportSchema } from '../../../core/agents/connectors/openapi/preview.ts';
import { responseSchemas } from '../../../core/base/shared/schema-names.ts';
import { type Route, route } from '../../route.ts';
import { PORTAL } from './login-answer.ts';

const CONNECTOR = `${PORTAL}/connectors/:slug`;
const MAX_CALL_BYTES = 2 * 1024 * 1024;
const MAX_DOCUMENT_BYTES = 8 * 1024 * 1024;
const ADMINISTRATOR = {
  access: 'portal:administrator',
  tag: 'Portal: connectors',
  params: z.strictObject({ slug: z.string().max(200).describe('The slug that calls use.') }),
} as const;
const NO_CONNECTOR = 'There is no such connector.';

const connectorToolSchema = z.object({
  resource: z.string().describe("The resource's slug."),
  tool: z
    .object({
      name: z.string().describe('The name that a call has.'),
      title: z.string().describe('For people.'),
      description: z.string().describe('For the model.'),
      inputSchema: z.record(z.string(), z.unknown()).describe('The JSON Schema of the arguments.'),
      annotations: z.record(z.string(), z.boolean()).describe('Hints on what a call does.'),
    })
    .describe('As `tools/list` shows it.'),
});
responseSchemas.add(connectorToolSchema, { id: 'ConnectorTool' });

/** Routes for people who check a connector before agents use it. */
export const connectorCheckRoutes: Route[] = [
  route({
    method: 'post',
    path: `${CONNECTOR}/import-preview`,
    ...ADMINISTRATOR,
    summary: 'Preview an import',
    description:
      "Makes a definition of an OpenAPI document, as `connectors import` does, and stores nothing: a PUT of `definition` does. Of a connector that is stored, the operator's own settings stay, and `changes` are the differences.",
    body: { schema: previewImportSchema, maxBytes: MAX_DOCUMENT_BYTES },
    faults: {
      400: 'The document cannot be used; `message` names the line or the place.',
      504: 'It took too long to read.',
    },
    responses: { 200: { description: 'What a PUT would store.', schema: importPreviewSchema } },
    answer: ({ services, caller, params, body, signal }) =>
      services.connectorImports.preview(caller, params.slug, body, signal),
  }),
  route({
    method: 'post',
    path: `${CONNECTOR}/try`,
    ...ADMINISTRATOR,
    summary: 'Try a call',
    description:
      'The same call as that of a key, also with the request and the headers of the answer, without secrets. A call that fails is an answer, too: `call` is its envelope. Events record it like any other.',
    body: { schema: tryConnectorSchema, maxBytes: MAX_CALL_BYTES },
    faults: { 404: 'There is no such connector, or it has no such resource.' },
    responses: { 200: { description: 'What was sent, and what came back.', schema: triedCallSchema } },
    answer: ({ services, caller, params, body, signal }) =>
      services.connectorExecution.tryOut(caller, { connector: params.slug, ...body }, signal),
  }),
  route({
    method: 'get',
    path: `${CONNECTOR}/circuits`,
    ...ADMINISTRATOR,
    summary: 'Get the circuits of a connector',
    description: 'The state of the circuit breaker of each environment, as the process that answers sees it.',
    faults: { 404: NO_CONNECTOR },
    responses: {
      200: {
        description: 'The circuits.',
        schema: z.object({ circuits: z.array(circuitSchema).describe('One for each environment.') }),
      },
    },
    answer: async ({ services, caller, params }) => ({
      circuits: await services.connectorExecution.circuits(caller, params.slug),
    }),
  }),
  route({
    method: 'get',
    path: `${CONNECTOR}/tools`,
    ...ADMINISTRATOR,
    summary: 'List the tools of a connector',
    description: 'The tools that MCP clients see of its exposed resources, as a model reads them.',
    faults: { 404: NO_CONNECTOR },
    responses: {
      200: {
        description: 'The tools.',
        schema: z.object({ tools: z.array(connectorToolSchema).describe('In the order of `tools/list`.') }),
      },
    },
    answer: async ({ services, caller, params }) => {
      const { slug } = await services.connectors.get(caller.tenantId, params.slug);
      const exposed = (await services.connectors.exposed(caller)).filter(({ connector }) => connector === slug);
      return { tools: exposed.map((one) => ({ resource: one.resource, tool: advertisedTool(one) })) };
    },
  }),
];
