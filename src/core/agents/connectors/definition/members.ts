import { z } from 'zod';
import { parameterSchema } from '../../../base/json-schema/schema.ts';
import { networkSchema } from '../../../base/shared/addresses.ts';
import { freeObject } from '../../../base/shared/json.ts';
import {
  authSchema,
  credentialNameSchema,
  environmentNameSchema,
  environmentSchema,
  fixedHeadersSchema,
} from './environment-schema.ts';
import { LIMITS } from './limits.ts';
import { resourceSchema, resourceSlugSchema } from './resource-schema.ts';

export const connectorSlugSchema = z
  .string('must be a string')
  .regex(/^[a-z0-9][a-z0-9-]{0,99}$/, 'must be 1 to 100 small letters, digits and -, the first of them no -');

const retrySchema = z.strictObject({
  attempts: z
    .int()
    .min(1)
    .max(LIMITS.attempts.maximum)
    .default(LIMITS.attempts.default)
    .describe('The number of attempts in all; 1: no retry.'),
  statuses: z
    .array(z.int().min(400).max(599))
    .max(50)
    .default([429, 502, 503, 504])
    .describe('Answers that are worth another attempt.'),
});

export const connectorMembersSchema = z.strictObject({
  version: z
    .literal(1, 'must be 1, the only version that this program knows')
    .default(1)
    .describe('Version of this format.'),
  slug: connectorSlugSchema.describe('What calls name it by.'),
  name: z.string().min(1).max(200).describe('The name for people; calls may use it as well.'),
  description: z.string().max(5_000).optional().describe('What it is for.'),
  environments: z
    .strictObject({
      staging: environmentSchema.optional().describe('The environment for tests.'),
      production: environmentSchema.optional().describe('The environment for real calls.'),
    })
    .refine(({ staging, production }) => staging ?? production, 'must hold staging or production')
    .describe('Where it is reached.'),
  defaultEnvironment: environmentNameSchema
    .optional()
    .describe('The environment of calls that name none, where the server has no default.'),
  auth: authSchema.default({ type: 'none' }).describe('How it wants to know who calls.'),
  credentials: z
    .array(credentialNameSchema)
    .max(LIMITS.credentials)
    .default([])
    .describe('The stored credentials that may be used with it.'),
  headers: fixedHeadersSchema.default({}).describe('Sent with every request.'),
  timeoutMs: z
    .int()
    .min(1)
    .max(LIMITS.timeoutMs.maximum)
    .default(LIMITS.timeoutMs.default)
    .describe('Milliseconds that a call may take, all its attempts together.'),
  maxResponseBytes: z
    .int()
    .min(1)
    .max(LIMITS.responseBytes.maximum)
    .default(LIMITS.responseBytes.default)
    .describe('The most of an answer, decompressed.'),
  maxConcurrent: z
    .int()
    .min(1)
    .max(LIMITS.concurrent.maximum)
    .default(LIMITS.concurrent.default)
    .describe('Calls of one environment at once; as many more may wait.'),
  retry: retrySchema.prefault({}).describe('When a call is tried again, where that is safe.'),
  followRedirects: z
    .boolean()
    .default(false)
    .describe('Whether redirects of GET and HEAD are followed, three at most and within the same origin.'),
  allowPrivateNetworks: z
    .array(networkSchema)
    .max(50)
    .default([])
    .describe(
      "Networks that are not public and may be reached: 10.1.0.0/16 for example. From the operator's command line alone.",
    ),
  schemas: z
    .record(z.string().regex(/^[\w.-]{1,200}$/, 'must be 1 to 200 letters, digits, -, _ and .'), parameterSchema)
    .optional()
    .describe('JSON Schemas that others refer to as #/schemas/NAME.'),
  resources: freeObject()
    .pipe(z.record(resourceSlugSchema, resourceSchema))
    .refine((all) => Object.keys(all).length > 0, 'must hold at least one resource')
    .refine((all) => Object.keys(all).length <= LIMITS.resources, `must hold at most ${LIMITS.resources}`)
    .describe('What can be called, by slug.'),
});

export type ConnectorDefinition = z.output<typeof connectorMembersSchema>;
