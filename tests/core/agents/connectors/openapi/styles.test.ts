import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createQuerySerializer, defaultPathSerializer } from 'openapi-fetch';
import type { JsonObject } from '../../../../../src/core/agents/connectors/openapi/values.ts';
import { headerOf, requestOf } from '../support.ts';
import { resourceOf } from './support.ts';

const COLORS = { string: 'blue', array: ['blue', 'black', 'brown'], object: { R: 100, G: 200, B: 150 } };
/** Free-form, so that a parameter takes any of the three. */
const ANY = { anyOf: [{ type: 'string' }, { type: 'array' }, { type: 'object' }] };

/** The request of a value of the parameter `color` with these members, imported from a document. */
function sent(place: 'path' | 'query' | 'header', declared: JsonObject, value: unknown) {
  const parameter = { name: 'color', in: place, required: true, schema: ANY, ...declared };
  const path = place === 'path' ? '/x/{color}' : '/x';
  const { definition } = resourceOf({ operationId: 'call', parameters: [parameter] }, { path });
  const data = { path: {}, query: {}, headers: {}, [place === 'header' ? 'headers' : place]: { color: value } };
  return requestOf(definition, { data });
}

const written = (place: 'path' | 'query' | 'header', declared: JsonObject, value: unknown) => {
  const request = sent(place, declared, value);
  if (place === 'header') return headerOf(request, 'color');
  return place === 'path' ? request.url.pathname.replace('/x/', '') : request.url.search.slice(1);
};

/** OpenAPI 3.1.1, Style Examples; null where it has none. */
const TABLE: [place: 'path' | 'query' | 'header', style: string, explode: boolean, ...(string | null)[]][] = [
  ['path', 'matrix', false, ';color=blue', ';color=blue,black,brown', ';color=R,100,G,200,B,150'],
  ['path', 'matrix', true, ';color=blue', ';color=blue;color=black;color=brown', ';R=100;G=200;B=150'],
  ['path', 'label', false, '.blue', '.blue,black,brown', '.R,100,G,200,B,150'],
  ['path', 'label', true, '.blue', '.blue.black.brown', '.R=100.G=200.B=150'],
  ['path', 'simple', false, 'blue', 'blue,black,brown', 'R,100,G,200,B,150'],
  ['path', 'simple', true, 'blue', 'blue,black,brown', 'R=100,G=200,B=150'],
  ['header', 'simple', false, 'blue', 'blue,black,brown', 'R,100,G,200,B,150'],
  ['header', 'simple', true, 'blue', 'blue,black,brown', 'R=100,G=200,B=150'],
  ['query', 'form', false, 'color=blue', 'color=blue,black,brown', 'color=R,100,G,200,B,150'],
  ['query', 'form', true, 'color=blue', 'color=blue&color=black&color=brown', 'R=100&G=200&B=150'],
  ['query', 'spaceDelimited', false, null, 'color=blue%20black%20brown', 'color=R%20100%20G%20200%20B%20150'],
  ['query', 'pipeDelimited', false, null, 'color=blue%7Cblack%7Cbrown', 'color=R%7C100%7CG%7C200%7CB%7C150'],
  ['query', 'deepObject', true, null, null, 'color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150'],
];

test("importOpenApi: requests are those of the specification's table of styles", () => {
  for (const [place, style, explode, ...texts] of TABLE) {
    for (const [index, value] of Object.values(COLORS).entries()) {
      if (texts[index] === null) continue;
      assert.equal(written(place, { style, explode }, value), texts[index], `${place} ${style} ${explode}`);
      if (explode === (style === 'form')) assert.equal(written(place, { style }, value), texts[index]);
    }
  }
});

const name = fc.stringMatching(/^[a-z]{1,5}$/);
/** Without the delimiters of the styles, which the library does not encode. */
const text = fc.oneof(fc.stringMatching(/^[\w &=?#+é%-]{1,8}$/), fc.integer(), fc.boolean());
const list = fc.array(text, { minLength: 1, maxLength: 4 });
const object = fc.dictionary(name, text, { minKeys: 1, maxKeys: 4, noNullPrototype: true });

test('importOpenApi: any list and object is written as openapi-fetch writes it', () => {
  const same = (place: 'path' | 'query', declared: JsonObject, value: unknown, expected: string) =>
    // The library leaves some characters unencoded that may be.
    assert.equal(decodeURIComponent(written(place, declared, value)!), decodeURIComponent(expected));
  const styles = fc.constantFrom('form', 'spaceDelimited', 'pipeDelimited');
  fc.assert(
    fc.property(styles, fc.boolean(), list, object, (style, explode, items, members) => {
      const array = { style: style as 'form', explode: explode || style === 'form' };
      const query = createQuerySerializer({ array, object: { style: 'form', explode } });
      if (style === 'form' || items.every((one) => !String(one).includes(' '))) {
        same('query', { ...array }, items, query({ color: items }));
      }
      same('query', { style: 'form', explode }, members, query({ color: members }));
      same('query', { style: 'deepObject', explode: true }, members, createQuerySerializer()({ color: members }));
      for (const [path, pathStyle] of [
        ['', 'simple'],
        ['.', 'label'],
        [';', 'matrix'],
      ] as const) {
        for (const value of [items, members, items[0]]) {
          const template = `{${path}color${explode ? '*' : ''}}`;
          const one = { style: pathStyle, explode };
          same('path', one, value, defaultPathSerializer(template, { color: value }));
        }
      }
    }),
    { numRuns: 200 },
  );
});

test('importOpenApi: objects with free and composed members are spread over the query', () => {
  const text = { type: 'string' };
  const known = { type: 'object', properties: { a: text } };
  for (const schema of [
    { type: 'object', additionalProperties: text },
    { type: 'object' },
    {},
    { ...known, additionalProperties: text },
    { allOf: [known, { properties: { b: text } }] },
    { oneOf: [known, { type: 'array', items: text }] },
    { type: ['object', 'null'], patternProperties: { '^b': text } },
  ]) {
    assert.equal(written('query', { schema }, { a: 'x', b: 'y' }), 'a=x&b=y', JSON.stringify(schema));
  }
  assert.equal(written('query', { schema: {} }, { a: ['x', 'y'], b: { c: 1 } }), 'a=x&a=y&b%5Bc%5D=1');
});

test('importOpenApi: reserved characters pass where the document allows them', () => {
  const value = "a:b/c?d@e!f$g'h(i)j*k,l=m%2Fn 100%";
  const expected = "a:b/c?d@e!f$g'h(i)j*k,l=m%2Fn%20100%25";
  assert.equal(written('query', { allowReserved: true }, value), `color=${expected.replace("'", '%27')}`);
  assert.equal(written('query', { allowReserved: true }, '#&+;[]'), 'color=%23%26%2B%3B%5B%5D');
  assert.equal(written('query', { allowReserved: true, explode: false }, ['a,b', 'c:d']), 'color=a%2Cb,c:d');
  assert.equal(written('query', {}, 'a:b'), 'color=a%3Ab');
  assert.equal(written('path', { allowReserved: true }, 'a:b'), 'a%3Ab');
  const parameters = [
    { name: 'id', in: 'path', schema: {}, allowReserved: true },
    { name: 'ids', in: 'query', schema: { type: 'array' }, style: 'deepObject' },
  ];
  const { messages } = resourceOf({ operationId: 'call', parameters }, { path: '/x/{id}' });
  for (const note of ['has allowReserved, which is for a query alone', 'is a list as deepObject'])
    assert.ok(messages.some((one) => one.startsWith(note)));
});

test('importOpenApi: a parameter with JSON content is JSON in each place', () => {
  const content = { 'application/vnd.a+json': { schema: { type: ['object', 'string'] } } };
  const declared = { schema: undefined, content };
  assert.equal(written('query', declared, { a: [1] }), 'color=%7B%22a%22%3A%5B1%5D%7D');
  assert.equal(written('header', declared, { a: [1] }), '{"a":[1]}');
  assert.equal(written('path', declared, { a: '' }), '%7B%22a%22%3A%22%22%7D');
  assert.equal(written('query', declared, 'x'), 'color=%22x%22');
});

function form(body: JsonObject, encoding?: JsonObject, schema: JsonObject = { type: 'object' }) {
  const media = { schema, ...(encoding && { encoding }) };
  const requestBody = { content: { 'application/x-www-form-urlencoded': media } };
  const { definition, messages } = resourceOf({ operationId: 'call', requestBody }, { method: 'post' });
  return { text: requestOf(definition, { data: { body } }).body, messages };
}

test('importOpenApi: a form repeats lists, with objects as JSON, or by its encoding', () => {
  const body = { to: '+1', tags: ['a b', 'c'], at: { x: 1, y: ['z'] }, all: [{ p: 1 }, null, 'q'], none: null };
  const json = (value: unknown) => encodeURIComponent(JSON.stringify(value));
  const rest = `all=${json({ p: 1 })}&all=q`;
  const composed = { allOf: [{ type: 'object', properties: { to: {} } }, { additionalProperties: true }] };
  for (const schema of [{ type: 'object' }, composed]) {
    assert.equal(form(body, undefined, schema).text, `to=%2B1&tags=a%20b&tags=c&at=${json(body.at)}&${rest}`);
  }
  const tags = (encoding: JsonObject, value: unknown = ['a', 'b']) => form({ tags: value }, { tags: encoding }).text;
  assert.equal(tags({ explode: false }), 'tags=a,b');
  assert.equal(tags({ style: 'form' }), 'tags=a&tags=b');
  assert.equal(tags({ style: 'spaceDelimited' }), 'tags=a%20b');
  assert.equal(tags({ style: 'pipeDelimited', explode: false }), 'tags=a%7Cb');
  assert.equal(tags({ style: 'deepObject', explode: true }, { a: { b: 1 } }), 'tags%5Ba%5D%5Bb%5D=1');
  assert.equal(tags({ style: 'form', contentType: 'application/json' }, { a: 1, b: 2 }), 'a=1&b=2');
  assert.equal(tags({ explode: false }, { a: 1, b: 2 }), 'tags=a,1,b,2');
  assert.equal(tags({ allowReserved: true }, ['a/b', 'c:d']), 'tags=a/b&tags=c:d');
  assert.equal(tags({ contentType: 'application/json; charset=utf-8' }), 'tags=%5B%22a%22%2C%22b%22%5D');
  assert.equal(tags({ contentType: 'text/plain' }), 'tags=a&tags=b');
  const { messages } = form({}, { tags: { contentType: 'application/xml' }, at: { style: 'matrix' } });
  assert.ok(messages.some((one) => one.startsWith('has the contentType application/xml')));
  assert.ok(messages.some((one) => one.startsWith('has the style "matrix", which is none of a query')));
});

test('importOpenApi: a multipart form has a part for each member and item', async () => {
  const file = { type: 'string', format: 'binary' };
  const schema = {
    allOf: [{ $ref: '#/components/schemas/Upload' }],
    properties: {
      photo: { type: 'string', contentEncoding: 'base64', contentMediaType: 'image/png' },
      page: { anyOf: [{ type: 'string', contentMediaType: 'application/pdf' }, { type: 'null' }] },
    },
  };
  const encoding = {
    meta: { contentType: 'application/json', headers: { 'X-A': { schema: {} } } },
    notes: { contentType: 'text/markdown; charset=utf-8, text/plain' },
    fax: { contentType: 'application/xml' },
    tags: { explode: false },
    any: { contentType: 'image/*' },
  };
  const requestBody = { content: { 'multipart/form-data': { schema, encoding } } };
  const Upload = { properties: { file, more: { type: 'array', items: file } } };
  const more = { components: { schemas: { Upload } } };
  const { definition, messages } = resourceOf({ operationId: 'call', requestBody }, { method: 'post', more });
  const data = {
    ...{
      to: 7,
      tags: ['a', 'ü', null],
      at: { x: 1 },
      meta: 'x',
      notes: '# a',
      file: 'a,b',
      more: ['1', '2'],
      photo: 'AA',
      page: '%PDF',
    },
    ...{ none: null, 'q"\r\nb': '--part' },
  };
  const request = requestOf(definition, { data: { body: data } });
  const contentType = headerOf(request, 'content-type')!;
  const form = await new Response(request.body, { headers: { 'content-type': contentType } }).formData();
  const parts = await Promise.all(
    [...form].map(async ([name, one]) =>
      typeof one === 'string' ? [name, one] : [name, await one.text(), one.name, one.type],
    ),
  );
  assert.deepEqual(parts, [
    ...[
      ['to', '7'],
      ['tags', 'a'],
      ['tags', 'ü'],
      ['at', '{"x":1}'],
      ['meta', '"x"'],
    ],
    ['notes', '# a', 'notes', 'text/markdown'],
    ['file', 'a,b', 'file', 'application/octet-stream'],
    ...['1', '2'].map((text) => ['more', text, 'more', 'application/octet-stream']),
    ['photo', 'AA', 'photo', 'image/png'],
    ['page', '%PDF', 'page', 'application/pdf'],
    ['q"\r\nb', '--part'],
  ]);
  assert.match(request.body!, /name="at"\r\nContent-Type: application\/json\r\n\r\n\{"x":1\}\r\n/);
  for (const part of [
    'has files',
    'has headers of a part',
    'has a style of a part',
    'has the contentType application/xml',
  ]) {
    assert.ok(
      messages.some((one) => one.startsWith(part)),
      part,
    );
  }
});
