import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { placeData } from '../../../../../src/core/agents/connectors/request/placement.ts';
import { compiledResource } from '../../../../../src/core/agents/connectors/request/validation.ts';
import { connector, messagesOf } from '../support.ts';

const object = (properties: object, members: object = {}) => ({ type: 'object', properties, ...members });
const closed = { additionalProperties: false };

function placed(resource: object, data: Record<string, unknown>, schemas: object = {}) {
  const { path, query, headers, body } = placeData(compiledResource(connector(resource, { schemas }), 'call'), data);
  return { path, query, headers, body };
}
const refused = (resource: object, data: Record<string, unknown>, schemas: object = {}) =>
  messagesOf(() => placed(resource, data, schemas));

const UPDATE = {
  method: 'PATCH',
  path: '/pets/{petId}',
  parameters: {
    query: object({ dryRun: { type: 'boolean' } }, closed),
    headers: object({ 'X-Shop': { type: 'string' } }),
    body: { allOf: [{ $ref: '#/schemas/Named' }, { anyOf: [object({ age: {} }), object({ weight: {} })] }] },
  },
};
const SCHEMAS = { Named: object({ name: { type: 'string' } }) };

test('placeData: flat data goes where the schema has the parameter', () => {
  const data = { petId: 7, dryRun: true, 'x-shop': 'a', name: 'Tib', age: 3, weight: 4 };
  assert.deepEqual(placed(UPDATE, data, SCHEMAS), {
    path: { petId: 7 },
    query: { dryRun: true },
    headers: { 'x-shop': 'a' },
    body: { name: 'Tib', age: 3, weight: 4 },
  });
});

test('placeData: structured data goes where it says, without nulls except in the body', () => {
  const data = { path: { petId: 7 }, query: { dryRun: null }, headers: null, body: { name: null } };
  assert.deepEqual(placed(UPDATE, data, SCHEMAS), { path: { petId: 7 }, query: {}, headers: {}, body: { name: null } });
  assert.deepEqual(placed(UPDATE, { body: ['any'] }, SCHEMAS).body, ['any']);
});

test('placeData: an empty array in place of parameters counts as left out', () => {
  const body = { name: 'Tib' };
  assert.deepEqual(placed(UPDATE, { path: { petId: 7 }, query: [], headers: [], body }, SCHEMAS), {
    ...{ path: { petId: 7 }, query: {}, headers: {}, body },
  });
  const lists = { path: '/search', parameters: { query: object({ query: { type: 'array' } }, closed) } };
  assert.deepEqual(placed(lists, { query: [] }).query, { query: [] }, 'the value of a parameter');
  assert.deepEqual(placed(lists, { path: [], query: [], headers: [] }).query, {});
  assert.deepEqual(refused({}, { query: [1] }), ['data.query: must be an object of parameters by name']);
});

test('placeData: unknown parameters go to an open body, else query, else nowhere', () => {
  const open = { method: 'POST', path: '/{id}' };
  assert.deepEqual(placed(open, { id: 1, a: 2 }), { path: { id: 1 }, query: {}, headers: {}, body: { a: 2 } });
  const closedBody = { ...open, parameters: { body: object({ name: {} }, closed), query: {} } };
  assert.deepEqual(placed(closedBody, { a: 2, name: 1 }), {
    path: {},
    query: { a: 2 },
    headers: {},
    body: { name: 1 },
  });
  const noQuery = { ...open, parameters: { body: object({ name: {} }, closed) } };
  assert.deepEqual(refused(noQuery, { nmae: 1 }), ['data.nmae: unknown parameter; did you mean name?']);
  const closedBoth = {
    ...open,
    parameters: { body: object({ name: {} }, closed), query: object({ limit: {} }, closed) },
  };
  assert.deepEqual(refused(closedBoth, { nmae: 1, zzzzzzz: 1 }), [
    'data.nmae: unknown parameter; did you mean name?',
    'data.zzzzzzz: unknown parameter',
  ]);
  assert.deepEqual(placed({ method: 'GET' }, { a: 2 }).query, { a: 2 });
  assert.deepEqual(placed({ method: 'DELETE' }, { a: 2 }).query, { a: 2 });
  assert.deepEqual(placed({ method: 'DELETE', parameters: { body: {} } }, { a: 2 }).body, { a: 2 });
});

test('placeData: a parameter of several locations is refused with a remedy', () => {
  const twice = {
    method: 'POST',
    path: '/pets/{id}',
    parameters: { query: object({ id: {} }), body: object({ id: {} }) },
  };
  assert.deepEqual(refused(twice, { id: 1 }), [
    'data.id: is a parameter of the path and the query and the body; say which: {"path": {"id": ...}}',
  ]);
  assert.deepEqual(placed(twice, { path: { id: 1 }, query: { id: 2 } }).query, { id: 2 });
});

test('placeData: flat parameters next to a location are refused', () => {
  const open = { method: 'POST', path: '/{id}', parameters: { body: object({ a: {} }) } };
  const help =
    'is not a parameter; data that is given by place has no members but path, query, headers and body: put "id" into one of them';
  assert.deepEqual(refused(open, { id: 1, body: { a: 1 } }), [`data.body: ${help}`]);
  assert.deepEqual(refused(open, { id: 1, query: {}, headers: {} }), [`data.query: ${help}`, `data.headers: ${help}`]);
  // A member named like a location that is a parameter, or not an object, is sent as any other.
  assert.deepEqual(placed(open, { id: 1, body: 'text' }).body, { body: 'text' });
  const named = { ...open, parameters: { body: object({ headers: {} }) } };
  assert.deepEqual(placed(named, { id: 1, headers: { a: '1' } }).body, { headers: { a: '1' } });
});

test('placeData: a body that is not an object accepts no flat parameters', () => {
  const list = { method: 'PUT', parameters: { body: { type: 'array' }, query: object({}, closed) } };
  assert.deepEqual(refused(list, { a: 1 }), [
    'data.a: unknown parameter; the body is not an object: write {"body": ...}',
  ]);
  assert.deepEqual(placed(list, { body: [1] }).body, [1]);
});

test('placeData: a parameter named like a location is read as what is valid', () => {
  const search = { path: '/search', parameters: { query: object({ query: { type: 'string' } }, closed) } };
  assert.deepEqual(placed(search, { query: 'shoes' }).query, { query: 'shoes' });
  assert.deepEqual(placed(search, { query: { query: 'shoes' } }).query, { query: 'shoes' });
  const post = { method: 'POST', parameters: { body: object({ body: { type: 'string' } }, { required: ['body'] }) } };
  assert.deepEqual(placed(post, { body: 'text' }).body, { body: 'text' });
  assert.deepEqual(placed(post, { body: { body: 'text' } }).body, { body: 'text' });
});

test('placeData: ambiguous data is refused, its structured form is not', () => {
  const search = { path: '/search', parameters: { query: object({ query: { type: 'object' } }) } };
  assert.deepEqual(refused(search, { query: { a: 1 } }), [
    'data: is ambiguous, since query is also the name of a parameter; write it structured, with path, query and headers all there, {} where one is empty',
  ]);
  assert.deepEqual(placed(search, { path: {}, query: { a: 1 }, headers: {} }).query, { a: 1 });
  assert.deepEqual(placed(search, { path: {}, query: { query: { a: 1 } }, headers: {} }).query, { query: { a: 1 } });
});

test('placeData: a location that is not an object is refused', () => {
  assert.deepEqual(refused({}, { query: 'shoes', path: 7 }), [
    'data.path: must be an object of parameters by name',
    'data.query: must be an object of parameters by name',
  ]);
  assert.deepEqual(refused({}, { body: {} }), ['data.body: must be left out: GET has no body']);
  assert.equal(placed({}, { body: null }).body, undefined);
});

test('placeData: flat data loses and doubles no key', () => {
  const names = [
    'petId',
    'dryRun',
    'X-Shop',
    'x-shop',
    'name',
    'age',
    'query',
    'body',
    '__proto__',
    'constructor',
    'toString',
  ];
  const keys = fc.oneof(fc.constantFrom(...names), fc.string());
  const compiled = compiledResource(connector(UPDATE, { schemas: SCHEMAS }), 'call');
  fc.assert(
    fc.property(fc.uniqueArray(keys, { minLength: 1, maxLength: 8 }), (given) => {
      const data = Object.fromEntries(given.map((key, index) => [key, index]));
      let result: ReturnType<typeof placeData>;
      try {
        result = placeData(compiled, data);
      } catch {
        return;
      }
      // All members may happen to be named like locations.
      if (result.isStructured) return;
      const { path, query, headers, body } = result;
      const all = [path, query, headers, (body ?? {}) as object].flatMap((place) => Object.entries(place));
      assert.deepEqual(all.sort(), Object.entries(data).sort());
    }),
  );
});
