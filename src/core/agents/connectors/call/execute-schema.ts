import { z } from 'zod';
import { freeObject, soundJson } from '../../../base/shared/json.ts';
import { requestSchemas, responseSchemas } from '../../../base/shared/schema-names.ts';
import { credentialNameSchema, environmentNameSchema } from '../definition/environment-schema.ts';
import { CONNECTOR_LIMITS } from '../definition/resource-schema.ts';

const MAX_JSON_DEPTH = 64;

const optionsSchema = z.strictObject({
  useMock: z.boolean().optional().describe('Whether the mock of the resource answers, and the API is not asked.'),
  timeout: z
    .number()
    .min(1)
    .max(CONNECTOR_LIMITS.timeoutMs.maximum)
    .optional()
    .describe('Milliseconds that the call may take, all its attempts together.'),
  credentials: credentialNameSchema
    .optional()
    .describe('The name of a stored credential, of those that the connector allows.'),
  headers: z
    .record(z.string(), z.string())
    .optional()
    .describe('Headers to send. None of the connection, the authentication or the connector itself.'),
});

export const executeConnectorSchema = z.strictObject({
  resource: z.string().min(1).max(200).describe("The resource's slug."),
  action: z
    .string()
    .max(200)
    .optional()
    .meta({ deprecated: true })
    .describe('Deprecated and without effect: name a resource.'),
  data: freeObject()
    .superRefine(soundJson(MAX_JSON_DEPTH))
    .optional()
    .describe(
      'Parameters by name, each put where the resource has it; or, where all members are among them, path, query, body and headers.',
    ),
  options: optionsSchema.optional().describe('How it is executed.'),
});
requestSchemas.add(executeConnectorSchema, { id: 'ExecuteConnector' });
export type ExecuteConnector = z.output<typeof executeConnectorSchema>;

export const executeQuerySchema = z.strictObject({
  environment: z
    .preprocess((value) => (value === '' ? undefined : value), environmentNameSchema.optional())
    .describe("staging or production; without one the server's default applies, then the connector's."),
});

export const metadataSchema = z.object({
  connector: z.string().describe("The connector's slug."),
  resource: z.string().describe("The resource's slug."),
  environment: environmentNameSchema
    .nullable()
    .describe('Where it was called; null where there is no such environment.'),
  status: z.int().nullable().describe('What the API answered; null when it did not.'),
  duration: z.number().describe('Milliseconds, all attempts and the waiting between them.'),
  attempts: z.int().describe('How often the API was asked.'),
  mocked: z.boolean().describe('Whether a mock answered.'),
  retrySafe: z
    .boolean()
    .describe(
      'Whether the same call may be made again without doing twice what it does; false where the outcome is not known.',
    ),
});
responseSchemas.add(metadataSchema, { id: 'CallMetadata' });
export type CallMetadata = z.output<typeof metadataSchema>;

export const executedSchema = z.object({
  success: z.literal(true).describe('The API, or a mock, has answered.'),
  data: z
    .unknown()
    .describe(
      'What the API answered: JSON as it came, null where there was no content, other text as a string, other bytes as {contentType, base64}.',
    ),
  metadata: metadataSchema.describe('How it went.'),
});
responseSchemas.add(executedSchema, { id: 'ExecutedCall' });

export const failedCallSchema = z.object({
  success: z.literal(false).describe('The call failed; `error` says why.'),
  error: z.string().describe('What went wrong, and what mends it.'),
  fallback: z.literal(true).optional().describe("True when data is the resource's fallback response."),
  data: z.unknown().optional().describe('The fallback response; without one, what the API answered, as far as it did.'),
  metadata: metadataSchema.optional().describe('How it went; there once the resource is known.'),
});
responseSchemas.add(failedCallSchema, { id: 'FailedCall' });
export type FailedCall = z.output<typeof failedCallSchema>;
export type ExecutedCall = z.output<typeof executedSchema>;
