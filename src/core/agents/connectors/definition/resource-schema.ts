import { z } from 'zod';
import { parameterSchema } from '../../../base/json-schema/schema.ts';
import { soundJson } from '../../../base/shared/json.ts';

/** Times in milliseconds, sizes in bytes. */
export const CONNECTOR_LIMITS = {
  timeoutMs: { default: 30_000, maximum: 120_000 },
  /** Decompressed. */
  responseBytes: { default: 5 * 1024 * 1024, maximum: 50 * 1024 * 1024 },
  attempts: { default: 3, maximum: 5 },
  concurrent: { default: 64, maximum: 500 },
  resources: 2_000,
  credentials: 50,
} as const;

/**
 * How a value becomes text, in OpenAPI's words: `comma` is its form without explode, `spread` its
 * form with objects as parameters of their own, `brackets` is `tags[]=a&tags[]=b`.
 */
export const QUERY_STYLES = [
  ...(['form', 'spread', 'comma', 'spaceDelimited', 'pipeDelimited'] as const),
  ...(['deepObject', 'brackets', 'json'] as const),
] as const;
export type QueryStyle = (typeof QUERY_STYLES)[number];

export const HEADER_STYLES = ['simple', 'simpleExploded', 'json'] as const;
export type HeaderStyle = (typeof HEADER_STYLES)[number];

export const PATH_STYLES = [...HEADER_STYLES, 'label', 'labelExploded', 'matrix', 'matrixExploded'] as const;
export type PathStyle = (typeof PATH_STYLES)[number];

const PLACEHOLDER = /\{([A-Za-z_][\w.-]*)\}/g;

export function placeholdersOf(path: string): string[] {
  return [...path.matchAll(PLACEHOLDER)].map(([, name]) => name!);
}

/** Encoded texts and parameter names alternate. The first text may be empty. */
export function pathPartsOf(path: string): string[] {
  return path.split(PLACEHOLDER).map((part, index) => (index % 2 === 0 ? encodeLiteral(part) : part));
}

/** Encodes what a URL would encode anyway. */
function encodeLiteral(text: string): string {
  return text.toWellFormed().replace(/[^\x21-\x7e]|["<>^`]/gu, encodeURIComponent);
}

export function withoutPlaceholders(path: string): string {
  return path.replace(PLACEHOLDER, '');
}

export const HTTP_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type HttpMethod = (typeof HTTP_METHODS)[number];

/** RFC 9110, 9.2.2. */
export const IDEMPOTENT_METHODS: ReadonlySet<HttpMethod> = new Set<HttpMethod>(['GET', 'HEAD', 'PUT', 'DELETE']);

const MAX_JSON_DEPTH = 32;

const contentTypeSchema = z
  .string()
  .max(200)
  .regex(
    /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+( *; *[\w-]+=[\w.-]+)*$/,
    'must be a media type, application/merge-patch+json for example',
  );

/** Allows most `operationId`s. */
export const resourceSlugSchema = z
  .string()
  .regex(/^[A-Za-z0-9][\w.-]{0,99}$/, 'must be 1 to 100 letters, digits, -, _ and ., the first a letter or digit');

const anyJson = z.unknown().superRefine(soundJson(MAX_JSON_DEPTH));

const mockSchema = z.strictObject({
  status: z.int().min(200).max(299).default(200).describe('The status that is told.'),
  body: anyJson.optional().describe('What is answered as data.'),
});

const parametersSchema = z.strictObject({
  path: parameterSchema.optional().describe('JSON Schema of an object: those in braces in the path.'),
  query: parameterSchema.optional().describe('JSON Schema of an object.'),
  headers: parameterSchema.optional().describe('JSON Schema of an object; names in any case.'),
  body: parameterSchema.optional().describe('JSON Schema of the body.'),
});

export const resourceSchema = z
  .strictObject({
    description: z.string().max(2_000).optional().describe('What it does, for people and models.'),
    method: z.enum(HTTP_METHODS).describe('The HTTP method.'),
    path: z
      .string()
      .max(2_000)
      .regex(/^\/[^\s?#\\]*$/, 'must begin with / and have no query: /pets/{petId} for example')
      .describe('What follows the base URL; {name} stands for a parameter.'),
    parameters: parametersSchema
      .default({})
      .describe('The parameters by place. A place without a schema takes anything.'),
    pathStyles: z
      .record(z.string(), z.enum(PATH_STYLES))
      .optional()
      .describe('How lists and objects are written in the path, by parameter; default simple.'),
    queryStyles: z
      .record(z.string(), z.enum(QUERY_STYLES))
      .optional()
      .describe(
        'How lists and objects are written in the query, by parameter; default form (`a=1&a=2`), deepObject for objects.',
      ),
    headerStyles: z
      .record(z.string(), z.enum(HEADER_STYLES))
      .optional()
      .describe('How lists and objects are written in headers, by parameter; default simple.'),
    formStyles: z
      .record(z.string(), z.enum(QUERY_STYLES))
      .optional()
      .describe(
        'How the members of a form are written: lists repeat and objects are JSON by default. Without this record, deepObject holds for all.',
      ),
    allowReserved: z
      .array(z.string())
      .optional()
      .describe('Parameters of the query and members of a form whose reserved characters are not encoded.'),
    bodyType: z
      .enum(['json', 'form', 'multipart'])
      .default('json')
      .describe('What the body is sent as; form and multipart: as HTML forms are.'),
    partTypes: z
      .record(z.string(), contentTypeSchema)
      .optional()
      .describe('Media types of members of a multipart body. Without: text/plain, and JSON for objects.'),
    contentType: contentTypeSchema
      .optional()
      .describe('What the body says that it is. Without: application/json or that of a form.'),
    bodyOptional: z
      .boolean()
      .optional()
      .describe('Whether the body may be left out where its schema requires something. Without: not.'),
    idempotent: z
      .boolean()
      .optional()
      .describe('Whether calling twice does no more than calling once. Without: by the method.'),
    timeoutMs: z
      .int()
      .min(1)
      .max(CONNECTOR_LIMITS.timeoutMs.maximum)
      .optional()
      .describe('Replaces `timeoutMs` of the connector.'),
    mock: mockSchema.optional().describe('What a call with `useMock` is answered with.'),
    fallbackResponse: anyJson.optional().describe('What a failure carries as data.'),
    exposeAsTool: z.boolean().default(false).describe('Whether MCP clients see it as a tool.'),
  })
  .superRefine(({ path, method, parameters }, context) => {
    const report = (at: string[], message: string) => context.addIssue({ code: 'custom', path: at, message });
    const placeholders = placeholdersOf(path);
    if (new Set(placeholders).size < placeholders.length) report(['path'], 'has a parameter twice');
    if (/[{}]/.test(withoutPlaceholders(path))) report(['path'], 'has a brace without its other, or no name in it');
    if (path.split('/').some((segment) => /^(\.|%2e){1,2}$/i.test(segment))) report(['path'], 'must not hold . or ..');
    if (parameters.body !== undefined && (method === 'GET' || method === 'HEAD')) {
      report(['parameters', 'body'], `must be left out: ${method} has no body`);
    }
  });
export type Resource = z.output<typeof resourceSchema>;
