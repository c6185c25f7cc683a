import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connector, headerOf, messagesOf, requestOf } from '../support.ts';

test('buildRequest: method, URL, body and their headers', () => {
  const definition = connector({ method: 'POST', path: '/pets/{petId}' });
  const { url, ...request } = requestOf(definition, {
    data: { petId: 7, name: 'Tib', tags: ['a', null] },
    headers: { 'X-Trace': '1' },
  });
  assert.equal(url.href, 'https://api.example.com/v1/pets/7');
  assert.deepEqual(request, {
    method: 'POST',
    headers: ['accept', 'application/json, */*;q=0.8', 'content-type', 'application/json', 'X-Trace', '1'],
    body: '{"name":"Tib","tags":["a",null]}',
  });
});

test("buildRequest: a null that the body's schema refuses is left out", () => {
  const text = { type: 'string' };
  const body = {
    type: 'object',
    properties: { name: text, note: text, tag: { type: ['string', 'null'] } },
    required: ['name'],
  };
  const definition = connector({ method: 'POST', parameters: { body } });
  const { body: sent } = requestOf(definition, { data: { name: 'Tib', note: null, tag: null } });
  assert.equal(sent, '{"name":"Tib","tag":null}');
  assert.deepEqual(
    messagesOf(() => requestOf(definition, { data: { name: null } })),
    ['data.name: is required'],
  );
});

test('buildRequest: configured headers replace the defaults', () => {
  const definition = connector({ method: 'POST' }, { headers: { 'Content-Type': 'application/vnd.api+json' } });
  const { headers } = requestOf(definition, { data: { a: 1 } });
  assert.deepEqual(headers, ['accept', 'application/json, */*;q=0.8']);
});

test('buildRequest: any JSON body is sent as it is', () => {
  const bodyOf = (body: unknown) => requestOf(connector({ method: 'PUT' }), { data: { body } }).body;
  assert.equal(bodyOf(JSON.parse('{"__proto__": {"a": 1}}')), '{"__proto__":{"a":1}}');
  for (const body of [[1, 'a'], 'text', 0, false, null]) assert.equal(bodyOf(body), JSON.stringify(body));
  assert.equal(requestOf(connector({ method: 'PUT' })).body, null);
  assert.equal(headerOf(requestOf(connector({ method: 'PUT' })), 'content-type'), undefined);
});

test('buildRequest: a form is encoded with nested brackets', () => {
  const form = connector({ method: 'POST', bodyType: 'form' });
  const request = requestOf(form, {
    data: { body: { name: 'A & B', items: [{ price: 5, metadata: { a: 'b' } }, 'x'], note: null, expand: [] } },
  });
  assert.equal(
    decodeURIComponent(request.body!.replaceAll('%26', 'AND')),
    'name=A AND B&items[0][price]=5&items[0][metadata][a]=b&items[1]=x',
  );
  assert.equal(headerOf(request, 'content-type'), 'application/x-www-form-urlencoded');
  assert.deepEqual(
    messagesOf(() => requestOf(form, { data: { body: [1] } })),
    ['data.body: must be an object: it is sent as a form'],
  );
});

test('buildRequest: a form that repeats a long name is refused before encoding', () => {
  const data = { body: { ['a'.repeat(100_000)]: Array.from({ length: 100_000 }, () => 1) } };
  const messages = messagesOf(() => requestOf(connector({ method: 'POST', bodyType: 'form' }), { data }));
  assert.deepEqual(messages, ['data: is too much for a form, which has at most 8388608 characters']);
});

test('buildRequest: problems of path, query and headers are reported together', () => {
  const definition = connector({ path: '/pets/{petId}', queryStyles: { tags: 'comma' } });
  const data = { path: { petId: '..' }, query: { tags: [{}] }, headers: { Host: 'a' } };
  assert.deepEqual(
    messagesOf(() => requestOf(definition, { data })).map((message) => message.replace(/:.*/, '')),
    ['data.path.petId', 'data.query.tags', 'data.headers.Host'],
  );
});

test('buildRequest: lists in a path or header are joined by commas', () => {
  const definition = connector({ path: '/pets/{ids}' });
  const { url, headers } = requestOf(definition, {
    data: { path: { ids: ['a,b', 7, true] }, headers: { 'x-tags': ['one', 2] } },
  });
  assert.equal(url.pathname, '/v1/pets/a%2Cb,7,true');
  assert.deepEqual(headers.slice(-2), ['x-tags', 'one,2']);
  for (const ids of [[], [''], ['a', '..'], [['a']], [{}]]) {
    assert.match(
      messagesOf(() => requestOf(definition, { data: { path: { ids } } }))[0] ?? 'it got through',
      /^data\.path\.ids: must/,
    );
  }
});

test('buildRequest: does not change its data', () => {
  const data = { petId: '7', tags: ['a', null], name: { a: null } };
  const before = structuredClone(data);
  requestOf(connector({ method: 'POST', path: '/pets/{petId}' }), { data });
  assert.deepEqual(data, before);
});

test('buildRequest: a missing environment is refused', () => {
  const missing = messagesOf(() => requestOf(connector({}), { environment: 'staging' }));
  assert.deepEqual(missing, ['environment: the connector has no staging']);
});
