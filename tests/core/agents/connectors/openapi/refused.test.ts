import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDocument } from '../../../../../src/core/agents/connectors/openapi/parse-document.ts';
import type { JsonObject } from '../../../../../src/core/agents/connectors/openapi/values.ts';
import { documentWith, imported, refusalOf } from './support.ts';

const get = (operation: JsonObject) => documentWith({ paths: { '/pets': { get: operation } } });
const post = (schema: unknown) =>
  documentWith({ paths: { '/pets': { post: { requestBody: { content: { 'application/json': { schema } } } } } } });
const nested = (levels: number): unknown => (levels === 0 ? 'end' : { a: nested(levels - 1) });
const COPY = 'must begin with #; copy into the document what it refers to';
/** The pointer of the body schema of `post`. */
const SCHEMA_REFERENCE = '#/paths/~1pets/post/requestBody/content/application~1json/schema/$ref';
const NO_ADDRESS = '#/servers: has no address that can be used; name one with --base-url https://api.example.com/v1';
const NO_OPERATION = '#/paths: has no operation that can be called';

const CASES: Record<string, [document: unknown, ...messages: string[]]> = {
  'a text': ['openapi', '#: must be an OpenAPI document: an object'],
  nothing: [null, '#: must be an OpenAPI document: an object'],
  'a list': [[documentWith()], '#: must be an OpenAPI document: an object'],
  'an object of something else': [{ a: 1 }, '#/openapi: is required: the version of OpenAPI, 3.0.3 for example'],
  'Swagger 2.0': [{ swagger: '2.0' }, '#/swagger: is of Swagger 2; convert the document to OpenAPI 3.0 or 3.1 first'],
  'OpenAPI 3.2': [documentWith({ openapi: '3.2.0' }), '#/openapi: must be 3.0 or 3.1'],
  'OpenAPI 4': [documentWith({ openapi: 4 }), '#/openapi: must be 3.0 or 3.1'],
  'no paths': [documentWith({ paths: undefined }), NO_OPERATION],
  'paths that are a list': [documentWith({ paths: [] }), NO_OPERATION],
  'an operation of a method that is not called': [
    documentWith({ paths: { '/pets': { trace: {} } } }),
    NO_OPERATION,
    '#/paths/~1pets/trace: is of a method that is not called; it is left out',
  ],
  'only what cannot be sent': [
    documentWith({ paths: { '/pets': { post: { requestBody: { content: { 'text/csv': {} } } } } } }),
    NO_OPERATION,
    '#/paths/~1pets/post/requestBody: is sent as text/csv, of which none can be sent; the operation is left out',
  ],
  'no servers': [documentWith({ servers: undefined }), NO_ADDRESS],
  'a relative server': [
    documentWith({ servers: [{ url: '/v1' }] }),
    NO_ADDRESS,
    '#/servers/0: is an address relative to that of the document; it is left out',
  ],
  'a server in a private network': [
    documentWith({ servers: [{ url: 'http://192.168.1.1' }] }),
    NO_ADDRESS,
    '#/servers/0: is an address in a private network, which is not allowed; it is left out',
  ],
  'a server with a password': [
    documentWith({ servers: [{ url: 'https://a:b@example.com' }] }),
    NO_ADDRESS,
    '#/servers/0: is not an http or https address without user, query and fragment; it is left out',
  ],
  'a server of another protocol': [
    documentWith({ servers: [{ url: 'ftp://example.com' }] }),
    NO_ADDRESS,
    '#/servers/0: is not an http or https address without user, query and fragment; it is left out',
  ],
  'a server whose variable has no default': [
    documentWith({ servers: [{ url: 'https://{host}' }, {}] }),
    NO_ADDRESS,
    '#/servers/0: is a server with a variable that has no default; it is left out',
    '#/servers/1: is a server without a url; it is left out',
  ],
  'a reference to a file': [post({ $ref: 'pet.yaml' }), `${SCHEMA_REFERENCE}: ${COPY}`],
  'a reference to a file by its address': [post({ $ref: 'file:///etc/passwd' }), `${SCHEMA_REFERENCE}: ${COPY}`],
  'a reference to the web': [post({ $ref: 'https://example.com/pet.json#/Pet' }), `${SCHEMA_REFERENCE}: ${COPY}`],
  'a reference without protocol': [post({ $ref: '//example.com/pet.json' }), `${SCHEMA_REFERENCE}: ${COPY}`],
  'a reference to a folder above': [post({ $ref: '../pet.json#/Pet' }), `${SCHEMA_REFERENCE}: ${COPY}`],
  'an empty reference': [post({ $ref: '' }), `${SCHEMA_REFERENCE}: ${COPY}`],
  'a parameter in a file': [
    get({ parameters: [{ $ref: 'limit.yaml' }] }),
    `#/paths/~1pets/get/parameters/0/$ref: ${COPY}`,
  ],
  'a reference that leads nowhere': [
    post({ $ref: '#/components/schemas/Pet' }),
    `${SCHEMA_REFERENCE}: leads nowhere; there is no "#/components/schemas/Pet" in the document`,
  ],
  'a reference to what every object has': [
    post({ $ref: '#/components/constructor' }),
    `${SCHEMA_REFERENCE}: leads nowhere; there is no "#/components/constructor" in the document`,
  ],
  'a reference to the document itself': [
    post({ $ref: '#' }),
    `${SCHEMA_REFERENCE}: leads nowhere; there is no "#" in the document`,
  ],
  'a reference to an anchor': [
    post({ $ref: '#pet' }),
    `${SCHEMA_REFERENCE}: leads nowhere; there is no "#pet" in the document`,
  ],
  'a reference that is wrongly encoded': [
    post({ $ref: '#/%zz' }),
    `${SCHEMA_REFERENCE}: leads nowhere; there is no "#/%zz" in the document`,
  ],
  'a parameter that leads nowhere': [
    get({ parameters: [{ $ref: '#/components/parameters/limit' }] }),
    '#/paths/~1pets/get/parameters/0/$ref: leads nowhere; there is no "#/components/parameters/limit" in the document',
  ],
  'a parameter that leads back to itself': [
    get({ parameters: [{ $ref: '#/paths/~1pets/get/parameters/0' }] }),
    '#/paths/~1pets/get/parameters/0/$ref: leads back to itself',
  ],
  'what is nested too deep': [
    documentWith({ 'x-deep': nested(300) }),
    '#: is nested deeper than 200 levels; flatten it',
  ],
  'more operations than a connector has': [
    documentWith({
      paths: Object.fromEntries(Array.from({ length: 2_001 }, (_, index) => [`/p${index}`, { get: {} }])),
    }),
    '#/paths: has 2001 operations; a connector has 2000 at most, so import the document in parts',
  ],
};

for (const [name, [document, ...messages]] of Object.entries(CASES)) {
  test(`importOpenApi: refuses ${name}`, () => {
    assert.deepEqual(
      refusalOf(() => imported(document)),
      messages,
    );
  });
}

test('importOpenApi: refuses an invalid baseUrl or slug', () => {
  assert.deepEqual(
    refusalOf(() => imported(documentWith(), { baseUrl: 'http://10.0.0.1' })),
    [
      'environments.production.baseUrl: is in a private network; the operator may allow that: allowPrivateNetworks, --allow-private-network of an import',
    ],
  );
  assert.match(refusalOf(() => imported(documentWith(), { slug: 'No Slug' })).join(), /^slug: must be /);
});

test('importOpenApi: refuses circular aliases', () => {
  const document = parseDocument('openapi: 3.0.0\nx-a: &a\n  again: *a\n  more: *a\n', 'circle.yaml');
  assert.match(refusalOf(() => imported(document)).join(), /^#: (is nested deeper|has more than)/);
});
