import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectorDefinitionSchema } from '../../../../../src/core/agents/connectors/definition/schema.ts';
import { changeLines } from '../../../../../src/core/agents/connectors/openapi/changes.ts';
import type { JsonObject } from '../../../../../src/core/agents/connectors/openapi/values.ts';
import { documentWith, imported } from './support.ts';

const environmentsOf = (servers: JsonObject[]) => {
  const { definition, notes } = imported(documentWith({ servers }));
  const { environments, defaultEnvironment } = definition;
  const { production, staging } = environments;
  return { production: production?.baseUrl, staging: staging?.baseUrl, defaultEnvironment, notes };
};

test('importServers: chooses a production and a staging server', () => {
  const cases: [servers: JsonObject[], production: string | undefined, staging: string | undefined][] = [
    [[{ url: 'https://a.example.com/v1/' }], 'https://a.example.com/v1', undefined],
    [[{ url: 'http://a.example.com' }, { url: 'https://b.example.com' }], 'https://b.example.com', undefined],
    [
      [{ url: 'https://sandbox.example.com' }, { url: 'https://example.com' }],
      'https://example.com',
      'https://sandbox.example.com',
    ],
    [[{ url: 'https://b.example.com', description: 'The Test server' }], undefined, 'https://b.example.com'],
    [
      [{ url: 'https://developer.example.com' }, { url: 'https://latest.example.com' }],
      'https://developer.example.com',
      undefined,
    ],
    [
      [{ url: 'https://example.com/dev' }, { url: '/v1' }, { url: 'https://example.com' }],
      'https://example.com',
      'https://example.com/dev',
    ],
    [
      [{ url: 'https://{region}.example.com/{v}', variables: { region: { default: 'eu' }, v: { default: 2 } } }],
      'https://eu.example.com/2',
      undefined,
    ],
  ];
  for (const [servers, production, staging] of cases) {
    const found = environmentsOf(servers);
    assert.deepEqual([found.production, found.staging], [production, staging]);
    assert.equal(found.defaultEnvironment, production === undefined ? 'staging' : 'production');
  }
  assert.ok(
    environmentsOf([{ url: 'http://a.example.com' }]).notes.some(({ message }) =>
      message.includes('no address with https'),
    ),
  );
});

test('importOpenApi: baseUrl and private networks of the operator win', () => {
  const { environments } = imported(documentWith({ servers: [{ url: '/v1' }] }), {
    baseUrl: 'https://b.example.com',
  }).definition;
  assert.deepEqual(environments, { production: { baseUrl: 'https://b.example.com' } });
  const inside = { allowPrivateNetworks: ['10.0.0.0/8'] };
  const { definition } = imported(documentWith({ servers: [{ url: 'http://10.0.0.1' }] }), inside);
  assert.equal(definition.environments.production?.baseUrl, 'http://10.0.0.1');
  assert.deepEqual(definition.allowPrivateNetworks, ['10.0.0.0/8']);
});

test('operationsOf: an operation with its own server is left out', () => {
  const servers = [{ url: 'https://uploads.example.com' }];
  const paths = {
    '/a': { post: { servers } },
    '/b': { servers, get: {} },
    '/c': { get: { servers: [{ url: 'https://api.example.com' }] } },
  };
  const { definition, notes } = imported(documentWith({ paths }));
  assert.deepEqual(Object.keys(definition.resources), ['get-c']);
  assert.deepEqual(notes[0], {
    at: '#/paths/~1a/post',
    message: 'has a server of its own, which a connector cannot have; it is left out',
    more: 1,
  });
});

const authOf = (securitySchemes: JsonObject, security: unknown = [], operations: JsonObject[] = []) => {
  const paths = Object.fromEntries(operations.map((operation, index) => [`/o${index}`, { get: operation }]));
  const { definition, notes } = imported(
    documentWith({ components: { securitySchemes }, security, ...(operations.length > 0 && { paths }) }),
  );
  return { ...definition, messages: notes.map(({ message }) => message) };
};
const flows = (tokenUrl: string) => ({ clientCredentials: { tokenUrl, scopes: { read: 'r', write: 'w' } } });

test('importSecurity: each supported scheme', () => {
  const bearer = { type: 'bearer' };
  const none = { type: 'none' };
  const cases: [scheme: JsonObject, auth: JsonObject, message?: string][] = [
    [{ type: 'http', scheme: 'Basic' }, { type: 'basic' }],
    [{ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' }, bearer],
    [{ type: 'http', scheme: 'digest' }, none, 'is the scheme "digest" of HTTP'],
    [
      { type: 'apiKey', in: 'header', name: 'X-Key' },
      { type: 'apiKey', in: 'header', name: 'X-Key' },
    ],
    [
      { type: 'apiKey', in: 'query', name: 'key' },
      { type: 'apiKey', in: 'query', name: 'key' },
    ],
    [{ type: 'apiKey', in: 'cookie', name: 'key' }, none, 'is a key that is sent neither'],
    [{ type: 'apiKey', in: 'header' }, none, 'is a key that is sent neither'],
    [{ type: 'oauth2', flows: { implicit: {} } }, bearer, 'has no token that a program could ask for'],
    [{ type: 'oauth2', flows: flows('/token') }, bearer, 'has no token that a program could ask for'],
    [{ type: 'oauth2', flows: flows('http://127.0.0.1/token') }, bearer, 'has no token that a program could ask for'],
    [{ type: 'openIdConnect', openIdConnectUrl: 'https://example.com' }, bearer, 'has no token'],
    [{ type: 'mutualTLS' }, none, 'is mutual TLS'],
    [{ type: 'other' }, none, 'is of no known type'],
  ];
  for (const [scheme, auth, message] of cases) {
    const found = authOf({ one: scheme }, [{ one: [] }]);
    assert.deepEqual(found.auth, auth);
    if (message)
      assert.ok(
        found.messages.some((one) => one.startsWith(message)),
        message,
      );
    assert.deepEqual(found.credentials, auth === none ? [] : ['pets']);
    assert.deepEqual(found.environments.production?.secret, auth === none ? undefined : { credential: 'pets' });
    const tells = 'need a secret: store it with `credentials set pets`';
    assert.equal(found.messages.includes(tells), auth !== none);
  }
});

test('importSecurity: OAuth scopes are those of the operations', () => {
  const scheme = { type: 'oauth2', flows: flows('https://example.com/token') };
  const { auth } = authOf(
    { one: scheme },
    [],
    [{ security: [{ one: ['read'] }] }, { security: [{ one: ['read', 'a b'] }] }],
  );
  assert.deepEqual(auth, {
    type: 'oauth2',
    tokenUrl: 'https://example.com/token',
    scopes: ['read'],
    clientAuthentication: 'basic',
  });
});

test('importSecurity: the scheme of most operations is chosen', () => {
  const key = { type: 'apiKey', in: 'query', name: 'key' };
  const schemes = { key, basic: { type: 'http', scheme: 'basic' }, bearer: { type: 'http', scheme: 'bearer' } };
  const byKey = { security: [{ key: [] }] };
  assert.deepEqual(authOf(schemes, [{ basic: [] }], [byKey, byKey, {}]).auth, key);
  assert.deepEqual(authOf(schemes, [{ basic: [] }], [byKey, {}, {}, { security: [] }]).auth, { type: 'basic' });
  assert.deepEqual(authOf(schemes, [{ basic: [] }, { bearer: [] }], [{}, {}]).auth, { type: 'bearer' });
  const unused = authOf(schemes);
  assert.deepEqual(unused.auth, { type: 'bearer' });
  assert.ok(unused.messages.includes('are asked for by no operation; one is used all the same'));
  assert.ok(authOf(schemes, [{ basic: [], key: [] }]).messages.some((one) => one.includes('ways to be used at once')));
});

test('importSecurity: a document without schemes gets none and a note', () => {
  const { definition, notes } = imported(documentWith());
  assert.deepEqual(definition.auth, { type: 'none' });
  assert.ok(notes.some(({ message }) => message.includes('no securitySchemes')));
});

test('importOpenApi: the name is the title unless overridden', () => {
  const of = (info: JsonObject, name?: string) => {
    const { definition } = imported(documentWith({ info }), name === undefined ? {} : { name });
    return [definition.name, definition.description];
  };
  assert.deepEqual(of({ title: ' Pets ', description: 'All.' }), ['Pets', 'All.']);
  assert.deepEqual(of({ title: 'Pets', summary: 'Short.' }, 'Animals'), ['Animals', 'Short.']);
  assert.deepEqual(of({}), ['pets', undefined]);
  assert.deepEqual(
    of({ title: 'x'.repeat(300), description: 'y'.repeat(9_000) }).map((text) => text!.length),
    [200, 2_000],
  );
});

test('OpenApiDocument: the version may be a number', () => {
  for (const openapi of ['3.0.0', '3.1.0', '3.0.4', '3.1', 3.1, 3, '3.0.0-rc2']) {
    assert.equal(Object.keys(imported(documentWith({ openapi })).definition.resources).length, 1);
  }
});

const parameter = (name: string, type: string, more: JsonObject = {}) => ({
  name,
  in: 'query',
  schema: { type },
  ...more,
});
const json = (schema: JsonObject) => ({ content: { 'application/json': { schema } } });
const form = (encoding: JsonObject = {}) => ({
  content: { 'application/x-www-form-urlencoded': { schema: {}, encoding } },
});
const withOperation = (operation: JsonObject, method = 'get', path = '/pets') =>
  documentWith({ paths: { [path]: { [method]: { operationId: 'pets', ...operation } } } });
const linesOf = (before: JsonObject, after: JsonObject) =>
  changeLines(imported(after, { existing: imported(before).definition }).changes);

test('changesOfImport: each difference with its place in the definition', () => {
  const none = withOperation({});
  const cases: [before: JsonObject, after: JsonObject, ...lines: string[]][] = [
    [none, none],
    [
      withOperation({ parameters: [parameter('a', 'string'), parameter('b', 'string', { required: true })] }),
      withOperation({ parameters: [parameter('a', 'integer', { required: true })] }),
      'GET /pets: parameters.query.properties.a.type is "integer", was "string"',
      'GET /pets: parameters.query.properties.b is gone',
      'GET /pets: parameters.query.required is ["a"], was ["b"]',
    ],
    [
      withOperation({ requestBody: form() }, 'post'),
      withOperation({ requestBody: form({ a: { explode: false, allowReserved: true } }) }, 'post'),
      'POST /pets: formStyles.a is new',
      'POST /pets: allowReserved is new',
    ],
    [none, withOperation({}, 'delete'), 'DELETE /pets: method is "DELETE", was "GET"'],
    [
      withOperation({ summary: 'All.' }),
      withOperation({ summary: 'a'.repeat(100), responses: { 204: {} } }),
      'GET /pets: description has changed',
      'GET /pets: mock is new',
    ],
    [
      withOperation({}, 'post'),
      withOperation({ requestBody: { ...json({}), required: true } }, 'post'),
      'POST /pets: parameters.body is new',
    ],
  ];
  for (const [before, after, ...lines] of cases) assert.deepEqual(linesOf(before, after).sort(), lines.sort());
});

test('changesOfImport: added and removed resources and schemas', () => {
  const Pet = { type: 'object', properties: { name: { type: 'string' } } };
  const body = { requestBody: json({ $ref: '#/components/schemas/Pet' }) };
  const document = (paths: JsonObject, pet: JsonObject = Pet) =>
    documentWith({ paths, components: { schemas: { Pet: pet } } });
  const before = document({ '/a': { get: {} }, '/b': { post: body } });
  assert.deepEqual(linesOf(before, document({ '/b': { post: body }, '/c': { get: {} } })), [
    'GET /a is gone (get-a)',
    'GET /c is new (get-c)',
  ]);
  assert.deepEqual(linesOf(before, document({ '/a': { get: {} } })), [
    'POST /b is gone (post-b)',
    'schema Pet is gone',
  ]);
  const other = { ...Pet, properties: { name: { type: 'integer' }, age: {} } };
  assert.deepEqual(linesOf(before, document({ '/a': { get: {} }, '/b': { post: body } }, other)), [
    'schema Pet: properties.name.type is "integer", was "string"',
    'schema Pet: properties.age is new',
  ]);
  const { changes } = imported(document({ '/a': { get: {} } }), { existing: imported(before).definition });
  assert.deepEqual(JSON.parse(JSON.stringify(changes))[0], {
    change: 'removed',
    of: 'resource',
    name: 'post-b',
    label: 'POST /b',
    details: [],
  });
});

test('importOpenApi: an update keeps the settings of the operator', () => {
  const existing = connectorDefinitionSchema.parse({
    slug: 'pets',
    name: 'Our pets',
    description: 'By us.',
    environments: { staging: { baseUrl: 'https://ours.example.com', secret: { credential: 'mine' } } },
    defaultEnvironment: 'staging',
    auth: { type: 'apiKey', in: 'query', name: 'key' },
    credentials: ['mine'],
    headers: { 'X-Team': 'us' },
    timeoutMs: 1,
    maxResponseBytes: 2,
    maxConcurrent: 3,
    retry: { attempts: 1, statuses: [500] },
    followRedirects: true,
    allowPrivateNetworks: ['10.0.0.0/8'],
    schemas: { Old: {} },
    resources: {
      pets: {
        method: 'POST',
        path: '/old',
        description: 'Old.',
        idempotent: true,
        timeoutMs: 4,
        mock: { body: 'old' },
        fallbackResponse: [],
        exposeAsTool: true,
      },
    },
  });
  const document = {
    ...withOperation({ summary: 'New.', parameters: [parameter('key', 'string'), parameter('limit', 'integer')] }),
    servers: [],
  };
  const { definition } = imported(document, { existing });
  const { schemas: _, ...kept } = existing;
  assert.deepEqual(definition, {
    ...kept,
    resources: {
      pets: {
        method: 'GET',
        path: '/pets',
        description: 'New.',
        parameters: {
          query: { type: 'object', properties: { limit: { type: 'integer' } }, additionalProperties: false },
        },
        bodyType: 'json',
        idempotent: true,
        timeoutMs: 4,
        fallbackResponse: [],
        exposeAsTool: true,
      },
    },
  });
  const moved = imported(document, { existing, baseUrl: 'https://new.example.com', name: 'Renamed' }).definition;
  assert.equal(moved.name, 'Renamed');
  assert.deepEqual(moved.environments, {
    ...existing.environments,
    production: { baseUrl: 'https://new.example.com', secret: { credential: 'mine' } },
  });
});
