import { z } from 'zod';
import { requestSchemas, responseSchemas } from '../../../base/shared/schema-names.ts';
import { environmentNameSchema } from '../definition/environment-schema.ts';
import { executeConnectorSchema, executedSchema, failedCallSchema } from './execute-schema.ts';

export const tryConnectorSchema = executeConnectorSchema.omit({ action: true }).extend({
  environment: environmentNameSchema.optional().describe('As of a call: the defaults apply without one.'),
});
requestSchemas.add(tryConnectorSchema, { id: 'TryConnector' });

const sentSchema = z.object({
  method: z.string().describe('The HTTP method.'),
  url: z.string().describe('The address with its query; a secret in it is `[secret]`.'),
  headers: z
    .array(z.object({ name: z.string().describe('The name.'), value: z.string().describe('The value.') }))
    .describe('The headers but for those of the connection; secrets are `[secret]`.'),
  body: z.string().nullable().describe('The body as it is sent; null without one.'),
});
responseSchemas.add(sentSchema, { id: 'TriedRequest' });
export type TriedRequest = z.output<typeof sentSchema>;

export const triedCallSchema = z.object({
  sent: sentSchema.nullable().describe('The request; of a mock the one that was not sent. Null for invalid input.'),
  headers: z
    .record(z.string(), z.string())
    .nullable()
    .describe('The headers of the last answer, without cookies; null when the API did not answer.'),
  call: z.discriminatedUnion('success', [executedSchema, failedCallSchema]).describe('The answer of the same call.'),
});
responseSchemas.add(triedCallSchema, { id: 'TriedCall' });
export type TriedCall = z.output<typeof triedCallSchema>;

export const circuitSchema = z.object({
  environment: environmentNameSchema.describe('The environment that the circuit is of.'),
  state: z
    .enum(['closed', 'open', 'half-open'])
    .describe('Open: calls fail without an attempt. Half-open: the next call is the probe.'),
  failures: z.int().describe('Consecutive failed attempts.'),
  retryInMs: z.int().describe('Milliseconds until the probe; 0 unless open.'),
});
responseSchemas.add(circuitSchema, { id: 'Circuit' });
export type Circuit = z.output<typeof circuitSchema>;
