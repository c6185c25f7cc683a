import { z } from 'zod';
import {
  executeConnectorSchema,
  executedSchema,
  executeQuerySchema,
  failedCallSchema,
} from '../../core/agents/connectors/call/execute-schema.ts';
import { failedCall } from '../../core/agents/connectors/call/faults.ts';
import { type Route, route } from '../route.ts';

const MAX_BYTES = 2 * 1024 * 1024;

export const connectorRoutes: Route[] = [
  route({
    method: 'post',
    path: '/api/v1/runtime/v1/connectors/:connector',
    access: 'connectors:execute',
    tag: 'Connectors',
    summary: 'Execute a connector',
    description:
      'Calls a resource of a configured external API. Every failure but 401 and 403 comes in the envelope `{success: false, error}`, with ' +
      "the resource's fallback response where it has one. `metadata.retrySafe` says whether the same call may be made again.",
    params: z.strictObject({
      connector: z.string().max(200).describe("The connector's slug, or its name."),
    }),
    query: executeQuerySchema,
    body: { schema: executeConnectorSchema, maxBytes: MAX_BYTES },
    faults: {
      400: 'Invalid input; `error` names each field.',
      404: 'There is no such connector, or it has no such resource.',
      502: 'The API failed, refused the call, could not be reached or may not be; `metadata.status` is what it answered.',
      503: 'Too many calls are under way, or a secret cannot be had; the call was not made.',
      504: 'The API did not answer in time.',
    },
    failure: { schema: failedCallSchema, bodyOf: failedCall },
    responses: { 200: { description: 'What the API answered.', schema: executedSchema } },
    answer: ({ services, caller, params, query, body, signal }) =>
      services.connectorExecution.execute(caller, { ...params, ...query, ...body }, signal),
  }),
];
