import { z } from 'zod';
import { ingestEventSchema } from '../core/events/schema.ts';
import { errorBodySchema } from './errors.ts';
import type { RouteMultipart } from './multipart.ts';
import type { Access, Route, RouteResponse } from './route.ts';

type Json = Record<string, unknown>;

/** The version of the API, not of the program. */
const API_VERSION = '1.0.0';

/** The OpenAPI 3.1 document of the routes: whatever is mounted is in it, from the very schemas that check it. */
export function openApiDocument(routes: readonly Route[]): Json {
  const paths: Record<string, Json> = {};
  for (const definition of routes) {
    const path = definition.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [definition.method]: operationOf(definition) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Agent Runtime API',
      version: API_VERSION,
      description:
        'Business events in, KPIs and tables out. Every request is scoped to the tenant of its API key or of its user.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name })),
    security: [{ apiKey: [] }, { bearer: [] }],
    paths,
    components: {
      schemas: { Error: jsonSchema(errorBodySchema, 'output'), IngestEvent: jsonSchema(ingestEventSchema, 'input') },
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
        bearer: { type: 'http', scheme: 'bearer', description: 'The API key, or the token of a portal login.' },
        portal: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'The token of a portal login.' },
      },
    },
  };
}

function operationOf(definition: Route): Json {
  const { method, path, access, tag, summary, description } = definition;
  return {
    operationId: operationId(method, path),
    tags: [tag],
    summary,
    description: `${description}${ACCESS_NOTES[access] ?? `\n\nScope: \`${access}\`.`}`,
    ...securityOf(access),
    parameters: parametersOf(definition),
    ...requestBodyOf(definition),
    responses: responsesOf(definition),
  };
}

function requestBodyOf({ body, multipart }: Route): Json {
  if (multipart)
    return { requestBody: { required: true, content: { 'multipart/form-data': { schema: formSchema(multipart) } } } };
  if (!body) return {};
  return {
    requestBody: {
      required: !body.optional,
      content: {
        'application/json': { schema: jsonSchema(body.schema, 'input') },
        ...(body.fromLines ? { 'application/x-ndjson': { schema: { type: 'string' } } } : {}),
      },
    },
  };
}

/** The fields, and the file among them. */
function formSchema({ file, fileDescription, fields }: RouteMultipart): Json {
  const {
    properties = {},
    required = [],
    ...schema
  } = jsonSchema(fields, 'input') as {
    properties?: Json;
    required?: string[];
  };
  return {
    ...schema,
    properties: { [file]: { type: 'string', format: 'binary', description: fileDescription }, ...properties },
    required: [file, ...required],
  };
}

const ACCESS_NOTES: Partial<Record<Access, string>> = {
  open: '',
  'portal:user': '\n\nFor portal users, with the token of their login.',
  'portal:administrator': '\n\nFor portal users who are ADMIN or SUPER_ADMIN, with the token of their login.',
};

function securityOf(access: Access): Json {
  if (access === 'open') return { security: [] };
  return access.startsWith('portal:') ? { security: [{ portal: [] }], 'x-access': access } : { 'x-scope': access };
}

function operationId(method: string, path: string): string {
  const words = path.replace(/^\/api\/v1\/(runtime\/(v1\/)?)?/, '').match(/\w+/g) ?? [];
  return [method, ...words]
    .map((word, index) => (index === 0 ? word : word[0]!.toUpperCase() + word.slice(1)))
    .join('');
}

function parametersOf({ params, query, headers = {} }: Route): Json[] {
  const of = (schema: z.ZodType | undefined, location: 'path' | 'query') => {
    if (!schema) return [];
    const { properties = {}, required = [] } = jsonSchema(schema, 'input') as {
      properties?: Record<string, Json>;
      required?: string[];
    };
    return Object.entries(properties).map(([name, { description, ...property }]) => ({
      name,
      in: location,
      required: location === 'path' || required.includes(name),
      ...(description ? { description } : {}),
      schema: property,
    }));
  };
  const named = Object.entries(headers).map(([name, description]) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  }));
  return [...of(params, 'path'), ...of(query, 'query'), ...named];
}

function responsesOf({ responses, access, params, query, body, multipart, failure, faults = {} }: Route): Json {
  const answers: Record<string, Json> = {};
  for (const [status, response] of Object.entries(responses)) answers[status] = successOf(response);
  const fault = (description: string) => ({
    description,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  });
  if (params || query || body || multipart) answers['400'] = fault('Invalid input; `message` names each field.');
  if (access !== 'open') {
    answers['401'] = fault('Missing or invalid credential.');
    answers['403'] = fault("The key or the role lacks the right, or the resource is not its tenant's.");
    answers['429'] = fault('Too many requests with this credential; see Retry-After.');
  }
  if (body || multipart) {
    answers['413'] = fault('The body is too large.');
    answers['415'] = fault('The content type is not supported.');
  }
  if (multipart) {
    answers['408'] = fault('Nothing more of the body came for a while.');
    answers['415'] = fault(
      `The content type is not supported, or the file is none of ${multipart.formats.join(', ')}.`,
    );
  }
  answers['500'] = fault('Server error; safe to retry with backoff.');
  answers['503'] = fault('Not now; see Retry-After.');
  if (body || query) answers['504'] = fault('It took longer than it may; the message says how to ask for less.');
  // What a route says of its own is more than what is said of all.
  for (const [status, description] of Object.entries(faults)) answers[status] = fault(description);
  if (failure) {
    const content = { 'application/json': { schema: jsonSchema(failure.schema, 'output') } };
    for (const status of Object.keys(answers).filter((one) => /^[45]/.test(one) && one !== '401' && one !== '403')) {
      answers[status] = { ...answers[status], content };
    }
  }
  return answers;
}

function successOf({ description, schema, content, headers = {} }: RouteResponse): Json {
  const types = Object.entries({ ...(schema ? { 'application/json': schema } : {}), ...content });
  const bodies = types.map(([type, body]) => [type, { schema: jsonSchema(body, 'output') }]);
  const named = Object.entries(headers).map(([name, says]) => [
    name,
    { description: says, schema: { type: 'string' } },
  ]);
  return {
    description,
    ...(named.length > 0 ? { headers: Object.fromEntries(named) } : {}),
    ...(bodies.length > 0 ? { content: Object.fromEntries(bodies) } : {}),
  };
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return json;
}
