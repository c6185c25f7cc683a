import type { z } from 'zod';
import type { RouteMultipart } from '../body/multipart.ts';
import type { Route, RouteAccess, RouteFailure, RouteResponse } from '../route.ts';
import type { ExampleExchange } from './examples/example.ts';
import { examples as everyExample } from './examples/index.ts';
import { FAULTS, type FaultName, fault, PLAIN_PATHS } from './openapi-plain.ts';
import { type Json, jsonSchema, referredSchemas } from './schemas.ts';
import { TAGS } from './tags.ts';

/** The API's version, not the program's. */
const API_VERSION = '1.0.0';

/** Generated from the schemas that validate requests. */
export function openApiDocument(routes: readonly Route[], examples: typeof everyExample = everyExample): Json {
  const paths: Record<string, Json> = {};
  for (const definition of routes) {
    const path = definition.path.replace(/:(\w+)/g, '{$1}');
    const exchanges = Object.entries(examples[operationIdOf(definition)] ?? {});
    paths[path] = { ...paths[path], [definition.method]: operationOf(definition, exchanges) };
  }
  Object.assign(paths, PLAIN_PATHS);
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
    tags: tagsOf(routes),
    security: [{ apiKey: [] }, { bearer: [] }],
    paths,
    components: {
      schemas: referredSchemas([paths, FAULTS]),
      responses: FAULTS,
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
        bearer: { type: 'http', scheme: 'bearer', description: 'The API key, or the token of a portal login.' },
        portal: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'The token of a portal login.' },
        metrics: { type: 'http', scheme: 'bearer', description: 'The token of AGENT_RUNTIME_METRICS_TOKEN.' },
      },
    },
  };
}

/** `GET /api/v1/runtime/things/:thingId` is `getThingsThingId`. */
export function operationIdOf({ method, path }: Pick<Route, 'method' | 'path'>): string {
  const words = path.replace(/^\/api\/v1\/(runtime\/(v1\/)?)?/, '').match(/\w+/g) ?? [];
  return [method, ...words]
    .map((word, index) => (index === 0 ? word : word[0]!.toUpperCase() + word.slice(1)))
    .join('');
}

/** In the order of TAGS; unknown tags come last. */
function tagsOf(routes: readonly Route[]): Json[] {
  const used = new Set([...routes.map(({ tag }) => tag), 'Operation']);
  const known = TAGS.filter(({ name }) => used.has(name)).map(({ name, description }) => ({ name, description }));
  const others = [...used].filter((name) => !TAGS.some((tag) => tag.name === name)).map((name) => ({ name }));
  return [...known, ...others];
}

type Exchanges = [name: string, ExampleExchange][];

const STEP_UP_NOTE =
  '\n\nUsers with a second factor must have given it within ten minutes (`POST /api/v1/portal/me/step-up`); otherwise 403 with ' +
  '`error="insufficient_user_authentication"`.';

function operationOf(definition: Route, exchanges: Exchanges): Json {
  const { access, stepUp, tag, summary, description } = definition;
  return {
    operationId: operationIdOf(definition),
    tags: [tag],
    summary,
    description: `${description}${stepUp ? STEP_UP_NOTE : ''}${ACCESS_NOTES[access] ?? `\n\nScope: \`${access}\`.`}`,
    ...securityOf(access),
    parameters: parametersOf(definition, exchanges),
    ...requestBodyOf(definition, exchanges),
    responses: responsesOf(definition, exchanges),
  };
}

function requestBodyOf({ body, multipart }: Route, exchanges: Exchanges): Json {
  if (multipart) {
    const shown = examplesOf(exchanges, ({ form }) => form && { ...form.fields, [multipart.file]: form.file.content });
    const content = { 'multipart/form-data': { schema: formSchema(multipart), ...shown } };
    return { requestBody: { required: true, content } };
  }
  if (!body) return {};
  const ofType = (type: string) =>
    examplesOf(exchanges, ({ contentType = 'application/json', ...sent }) =>
      contentType === type ? sent.body : undefined,
    );
  return {
    requestBody: {
      required: !body.optional,
      content: {
        'application/json': { schema: jsonSchema(body.schema, 'input'), ...ofType('application/json') },
        ...(body.fromLines
          ? { 'application/x-ndjson': { schema: { type: 'string' }, ...ofType('application/x-ndjson') } }
          : {}),
      },
    },
  };
}

interface ObjectSchema extends Json {
  properties?: Record<string, Json>;
  required?: string[];
}

function formSchema({ file, fileDescription, fields }: RouteMultipart): Json {
  const { properties = {}, required = [], ...schema } = jsonSchema(fields, 'input') as ObjectSchema;
  return {
    ...schema,
    properties: { [file]: { type: 'string', format: 'binary', description: fileDescription }, ...properties },
    required: [file, ...required],
  };
}

function examplesOf(exchanges: Exchanges, shownOf: (exchange: ExampleExchange) => unknown): Json {
  const shown = exchanges.flatMap(([name, exchange]) => {
    const value = shownOf(exchange);
    return value === undefined ? [] : [[name, { summary: exchange.summary, value }] as const];
  });
  return shown.length > 0 ? { examples: Object.fromEntries(shown) } : {};
}

const ACCESS_NOTES: Partial<Record<RouteAccess, string>> = {
  open: '',
  authenticated: '\n\nFor every API key, whatever its scopes, and every portal user.',
  'portal:user': '\n\nFor portal users, with the token of their login.',
  'portal:administrator': '\n\nFor portal users who are ADMIN or SUPER_ADMIN, with the token of their login.',
  'portal:operator':
    '\n\nFor a SUPER_ADMIN of the only tenant of the installation, with the token of their login: of several tenants none may see or end what is of all.',
};

function securityOf(access: RouteAccess): Json {
  if (access === 'open') return { security: [] };
  if (access === 'authenticated') return { 'x-access': access };
  return access.startsWith('portal:') ? { security: [{ portal: [] }], 'x-access': access } : { 'x-scope': access };
}

const IF_MATCH = 'The ETag of the answer that was read: if somebody has changed it since, 412, and nothing is stored.';
const ETAG = 'The version of what was read, for If-Match.';

function parametersOf({ method, version, params, query, headers = {} }: Route, exchanges: Exchanges): Json[] {
  const accepted = version && method !== 'get' ? { 'if-match': IF_MATCH, ...headers } : headers;
  const of = (schema: z.ZodType | undefined, location: 'path' | 'query') => {
    if (!schema) return [];
    const { properties = {}, required = [] } = jsonSchema(schema, 'input') as ObjectSchema;
    return Object.entries(properties).map(([name, { description, ...property }]) => ({
      name,
      in: location,
      required: location === 'path' || required.includes(name),
      ...(description ? { description } : {}),
      schema: property,
      ...examplesOf(exchanges, (exchange) => {
        const text = (location === 'path' ? exchange.params : exchange.query)?.[name];
        return text !== undefined && /^(integer|number|boolean)$/.test(String(property.type)) ? JSON.parse(text) : text;
      }),
    }));
  };
  const named = Object.entries(accepted).map(([name, description]) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
    ...examplesOf(exchanges, (exchange) => exchange.headers?.[name]),
  }));
  return [...of(params, 'path'), ...of(query, 'query'), ...named];
}

function responsesOf(definition: Route, exchanges: Exchanges): Json {
  const { responses, access, method, version, params, query, body, multipart, failure, faults = {} } = definition;
  const answers: Record<string, Json> = {};
  for (const [status, response] of Object.entries(responses)) {
    const ofStatus = exchanges.filter(([, exchange]) => exchange.status === Number(status));
    const headers = { ...(version && response.schema ? { etag: ETAG } : {}), ...response.headers };
    answers[status] = successOf({ ...response, headers }, ofStatus);
  }
  const isGuarded = access !== 'open';
  const hasBody = Boolean(body ?? multipart);
  const usual: [applies: boolean, status: number, name: FaultName][] = [
    [hasBody || Boolean(params ?? query), 400, 'InvalidInput'],
    [isGuarded, 401, 'Unauthenticated'],
    [true, 403, isGuarded ? 'Forbidden' : 'UnknownHost'],
    [multipart !== undefined, 408, 'Stalled'],
    [hasBody, 413, 'TooLarge'],
    [hasBody, 415, 'UnsupportedType'],
    [isGuarded, 429, 'RateLimited'],
    [true, 500, 'ServerError'],
    [true, 503, 'Unavailable'],
    [Boolean(body ?? query), 504, 'TimedOut'],
  ];
  for (const [applies, status, name] of usual) {
    if (applies) answers[status] = { $ref: `#/components/responses/${name}` };
  }
  if (multipart) {
    const formats = multipart.formats.join(', ');
    answers['415'] = fault(`The content type is not supported, or the file is none of ${formats}.`);
  }
  if (version && method !== 'get') answers['412'] = fault('It was changed since it was read; see If-Match.');
  for (const [status, description] of Object.entries(faults)) answers[status] = fault(description);
  if (failure) useFailureSchema(failure, answers);
  return answers;
}

/** 401 and 403 keep the usual body. */
function useFailureSchema({ schema }: RouteFailure, answers: Record<string, Json>): void {
  const content = { 'application/json': { schema: jsonSchema(schema, 'output') } };
  for (const [status, answer] of Object.entries(answers)) {
    if (Number(status) < 400 || status === '401' || status === '403') continue;
    const name = String(answer.$ref ?? '').replace(/^.*\//, '');
    const { description, headers } = (name in FAULTS ? FAULTS[name as FaultName] : answer) as Json;
    answers[status] = { description, ...(headers ? { headers } : {}), content };
  }
}

function successOf({ description, schema, content, headers = {} }: RouteResponse, exchanges: Exchanges): Json {
  const types = Object.entries({ ...(schema ? { 'application/json': schema } : {}), ...content });
  const bodies = types.map(([type, body]) => [
    type,
    {
      schema: jsonSchema(body, 'output'),
      ...examplesOf(exchanges, ({ answerType = 'application/json', answer }) =>
        answerType === type ? answer : undefined,
      ),
    },
  ]);
  const named = Object.entries(headers).map(([name, text]) => [
    name,
    { description: text, schema: { type: 'string' } },
  ]);
  return {
    description,
    ...(named.length > 0 ? { headers: Object.fromEntries(named) } : {}),
    ...(bodies.length > 0 ? { content: Object.fromEntries(bodies) } : {}),
  };
}
