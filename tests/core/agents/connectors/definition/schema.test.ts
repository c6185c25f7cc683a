import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectorDefinitions, unknownConnector } from '../../../../../src/core/agents/connectors/service.ts';
import { connector } from '../../../../support/connectors.ts';
import { messagesOf } from '../../../../support/providers.ts';
import { problemsOfDefinition } from '../support.ts';

const slugsIn = (input: unknown) => connectorDefinitions(input).map(({ slug }) => slug);
const refused = (input: unknown) => messagesOf(() => connectorDefinitions(input));

test('definitionsOf: accepts one definition, an array or an object, in order', () => {
  const [b, a] = [connector({ slug: 'b' }), connector({ slug: 'a' })];
  assert.deepEqual(slugsIn(b), ['b']);
  assert.deepEqual(slugsIn([b, a]), ['b', 'a']);
  assert.deepEqual(slugsIn({ connectors: [b, a] }), ['b', 'a']);
  assert.deepEqual(slugsIn({ version: 1, connectors: [a] }), ['a']);
});

test('definitionsOf: refuses an OpenAPI document and names the import', async () => {
  for (const input of [
    { openapi: '3.1.0', info: {}, paths: {} },
    { swagger: '2.0', paths: {} },
  ]) {
    assert.deepEqual(await refused(input), [
      'input: is an OpenAPI document; `connectors import FILE --slug NAME` makes a definition of it',
    ]);
  }
});

test('definitionsOf: fills in defaults', () => {
  const [{ auth, credentials, retry, resources } = assert.fail()] = connectorDefinitions(connector());
  assert.deepEqual([auth, credentials], [{ type: 'none' }, []]);
  assert.deepEqual(retry, { attempts: 3, statuses: [429, 502, 503, 504] });
  assert.equal(resources.list?.bodyType, 'json');
});

test('definitionsOf: names the connector and field of every problem', async () => {
  const input = [
    connector({ slug: 'a', timeoutMs: 0, surplus: 1 }),
    connector({ slug: 'b' }),
    connector({ slug: 'NOT A SLUG' }),
    connector({ slug: 'c', resources: { list: { method: 'GET', path: 'pets' } } }),
    null,
    'text',
  ];
  assert.deepEqual(await refused(input), [
    'connector "a": timeoutMs: must be at least 1',
    'connector "a": surplus: unknown member',
    'connector 3: slug: must be 1 to 100 small letters, digits and -, the first of them no -',
    'connector "c": resources.list.path: must begin with / and have no query: /pets/{petId} for example',
    'connector 5: input: must be an object',
    'connector 6: input: must be an object',
  ]);
});

test('definitionsOf: slugs are unique, names need not be', async () => {
  const all = ['a', 'b', 'a', 'b', 'a', 'c'].map((slug) => connector({ slug }));
  assert.deepEqual(await refused(all), ['connector "a": slug: is given twice', 'connector "b": slug: is given twice']);
  assert.deepEqual(slugsIn([connector({ slug: 'a', name: 'b' }), connector({ slug: 'b', name: 'b' })]), ['a', 'b']);
});

test('definitionsOf: refuses other files', async () => {
  const cases: [unknown, string][] = [
    [[], 'input: must hold at least one connector'],
    [{ connectors: [] }, 'connectors: must hold at least one connector'],
    [{ connectors: connector() }, 'connectors: must be an array of connectors'],
    [{ connectors: [connector()], version: 2 }, 'version: must be 1, the only version that this program knows'],
    [{ connectors: [connector()], more: 1 }, 'more: unknown member'],
    [Array(1_001).fill(connector()), 'input: must hold at most 1000 connectors'],
    [undefined, 'connector 1: input: must be an object'],
  ];
  for (const [input, message] of cases) assert.deepEqual(await refused(input), [message]);
});

test('definitionsOf: reports at most a hundred problems', async () => {
  const messages = await refused(Array.from({ length: 1_000 }, () => ({})));
  assert.equal(messages.length, 101);
  assert.match(messages[100]!, /^\.\.\. and \d+ more$/);
});

test('definitionsOf: a literal secret is refused and not repeated', async () => {
  const secret = 'sk-this-is-the-secret';
  const withSecret = (environment: object) =>
    connector({ environments: { production: { baseUrl: 'https://pets.example.com', ...environment } } });
  const inputs = [
    withSecret({ secret }),
    withSecret({ secret: { value: secret } }),
    withSecret({ secret: { credential: `${secret} ` } }),
    withSecret({ baseUrl: `https://ana:${secret}@pets.example.com` }),
    withSecret({ baseUrl: `https://pets.example.com?key=${secret}` }),
    connector({ auth: { type: 'bearer', token: secret } }),
  ];
  for (const input of inputs) {
    const messages = await refused(input);
    assert.ok(messages.length > 0 && !messages.join().includes(secret), messages.join());
  }
});

const BASE_URL = 'https://pets.example.com';
const OAUTH2 = { type: 'oauth2', tokenUrl: 'https://login.example.com/token' };

test('definitionsOf: refuses auth without any source of a secret', async () => {
  const auths = [{ type: 'bearer' }, { type: 'basic', username: 'ana' }, OAUTH2];
  for (const auth of [...auths, { type: 'apiKey', in: 'header', name: 'x-key' }]) {
    const message = `connector "pets": environments.production.secret: is missing, so every call would fail: ${auth.type} needs one; add {"credential": "NAME"}, and NAME to credentials`;
    assert.deepEqual(await refused(connector({ auth })), [message]);
    assert.deepEqual(await refused(connector({ environments: { production: { baseUrl: BASE_URL, auth } } })), [
      message,
    ]);
  }
});

test('definitionsOf: refuses OAuth 2 with a variable and no client id', async () => {
  const ofConnector = connector({
    environments: { production: { baseUrl: BASE_URL, secret: { env: 'PETS' } } },
    auth: OAUTH2,
  });
  const ofEnvironment = connector({
    environments: { staging: { baseUrl: BASE_URL, secret: { env: 'PETS' }, auth: OAUTH2 } },
  });
  assert.match((await refused(ofConnector)).join(), /^connector "pets": auth\.clientId: is missing, so every call/);
  assert.match((await refused(ofEnvironment)).join(), /: environments\.staging\.auth\.clientId: is missing, so every/);
  assert.deepEqual(slugsIn({ ...ofConnector, auth: { ...OAUTH2, clientId: 'shop' } }), ['pets']);
});

test('definitionsOf: accepts auth whose secret a call or an environment names', () => {
  const auth = { type: 'bearer' };
  const accepted = [
    { auth, credentials: ['pets'] },
    { auth: OAUTH2, credentials: ['pets'] },
    { auth, environments: { production: { baseUrl: BASE_URL, secret: { env: 'PETS' } } } },
    { auth, environments: { production: { baseUrl: BASE_URL, auth: { type: 'none' } } } },
  ];
  for (const members of accepted) assert.deepEqual(slugsIn(connector(members)), ['pets']);
});

test('definitionsOf: a URL that is too long is refused as too long', async () => {
  const long = `https://pets.example.com/${'a'.repeat(2_000)}`;
  const messages = await refused(
    connector({
      environments: { production: { baseUrl: long } },
      auth: { ...OAUTH2, tokenUrl: long },
      credentials: ['pets'],
    }),
  );
  assert.deepEqual(messages, [
    'connector "pets": environments.production.baseUrl: must have at most 2000 characters',
    'connector "pets": auth.tokenUrl: must have at most 2000 characters',
  ]);
});

test('unknownConnector: suggests near slugs and names, or lists all', () => {
  const known = [
    { slug: 'pets', name: 'Pet store' },
    { slug: 'crm', name: 'crm' },
  ];
  assert.equal(unknownConnector('pet', known), 'there is no connector "pet"; nearest: "pets", "Pet store"');
  assert.equal(unknownConnector('zzzzzz', known), 'there is no connector "zzzzzz"; known: "pets", "crm", "Pet store"');
  assert.equal(
    unknownConnector('pets', []),
    'there is no connector "pets", nor any other; `connectors apply` installs them',
  );
});

const ofSchemas = (schemas: object, body: object = {}) =>
  problemsOfDefinition({ method: 'POST', parameters: { body } }, { schemas });

test('problemsOfSchemas: a $ref must name one of the schemas', () => {
  assert.deepEqual(ofSchemas({ Pet: { properties: { owner: { $ref: '#/schemas/Owner' } } } }), [
    'schemas.Pet.properties.owner.$ref: is not among the schemas',
  ]);
  assert.deepEqual(ofSchemas({}, { items: { $ref: '#/schemas/constructor' } }), [
    'resources.call.parameters.body.items.$ref: is not among the schemas',
  ]);
});

test('problemsOfSchemas: circular references need a step into the data', () => {
  const node = { properties: { next: { $ref: '#/schemas/Node' } }, items: { anyOf: [{ $ref: '#/schemas/Node' }] } };
  assert.deepEqual(ofSchemas({ Node: node, Names: { propertyNames: { $ref: '#/schemas/Names' } } }), []);
  const message = (chain: string) => [`schemas.A: refers to itself without a step into the data: ${chain}`];
  assert.deepEqual(ofSchemas({ A: { $ref: '#/schemas/A' } }), message('A -> A'));
  assert.deepEqual(ofSchemas({ A: { not: { $ref: '#/schemas/A' } } }), message('A -> A'));
  for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
    const schemas = { A: { [keyword]: [{}, { allOf: [{ $ref: '#/schemas/B' }] }] }, B: { $ref: '#/schemas/A' } };
    assert.deepEqual(ofSchemas(schemas), message('A -> B -> A'), keyword);
  }
});

test('problemsOfSchemas: chains of references are limited in any order', () => {
  const row = (length: number) =>
    Array.from({ length }, (_, index) => [
      `S${index}`,
      index === length - 1 ? {} : { $ref: `#/schemas/S${index + 1}` },
    ]);
  assert.deepEqual(ofSchemas(Object.fromEntries(row(50))), []);
  assert.match(ofSchemas(Object.fromEntries(row(3_000)))[0]!, /is one of more than 50 in a row/);
  assert.match(ofSchemas(Object.fromEntries(row(3_000).reverse()))[0]!, /is one of more than 50 in a row/);
});

test('problemsOfSchemas: patterns must be RE2', () => {
  for (const pattern of ['(?=a)b', '(?!a)b', '(?<=a)b', '(?<!a)b', '(a)\\1', '(', 'a{2000}']) {
    const message = 'is not a regular expression of RE2, which has no lookarounds and no backreferences';
    assert.deepEqual(ofSchemas({ A: { pattern } }), [`schemas.A.pattern: ${message}`], pattern);
    assert.deepEqual(ofSchemas({ A: { patternProperties: { [pattern]: {} } } }), [
      `schemas.A.patternProperties.${pattern}: ${message}`,
    ]);
  }
  assert.deepEqual(ofSchemas({ A: { pattern: 'a'.repeat(501) } }), [
    'schemas.A.pattern: must have at most 500 characters',
  ]);
});

test('problemsOfSchemas: schemas and patterns are limited', () => {
  const many = (length: number, one: (index: number) => object) => ({
    A: { allOf: Array.from({ length }, (_, index) => one(index)) },
  });
  assert.deepEqual(ofSchemas(many(49_990, () => ({}))), []);
  assert.match(ofSchemas(many(50_000, () => ({})))[0]!, /^schemas\.A: is with the others more than 50000 JSON Schemas/);
  assert.deepEqual(ofSchemas(many(1_000, () => ({ pattern: 'a'.repeat(400) }))), [], 'the same pattern counts once');
  const patterns = ofSchemas(many(200, (index) => ({ pattern: `${index}${'a'.repeat(400)}` })));
  assert.match(
    patterns[0]!,
    /pattern: is with the other patterns more than 50000 characters; make it several connectors$/,
  );
});

test('checkDefinition: a percent sign in a path begins an encoded character', () => {
  assert.deepEqual(problemsOfDefinition({ path: '/a%2{b}' }), [
    'resources.call.path: has a % that begins no encoded character; write %25',
  ]);
  assert.deepEqual(problemsOfDefinition({ path: '/a%2F{b}' }), []);
});
