import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { connectorDefinitionSchema } from '../../../../../src/core/agents/connectors/definition/schema.ts';
import { importOpenApi } from '../../../../../src/core/agents/connectors/openapi/import.ts';
import { parseDocument } from '../../../../../src/core/agents/connectors/openapi/parse-document.ts';
import type { JsonObject } from '../../../../../src/core/agents/connectors/openapi/values.ts';
import { UPDATES_GOLDEN } from '../../../../support/golden.ts';
import { refusalOf, resourceOf } from './support.ts';

const read = (text: string) => parseDocument(text, 'api.yaml');
const refusal = (text: string) => refusalOf(() => read(text)).join('; ');

test('parseDocument: JSON and YAML are equal, with or without a byte order mark', () => {
  const expected = { openapi: '3.0.3', paths: { '/a': { get: { responses: { 200: { description: 'ok' } } } } } };
  assert.deepEqual(read(JSON.stringify(expected)), expected);
  assert.deepEqual(read(`\uFEFF${JSON.stringify(expected, null, 2)}`), expected);
  const yaml = 'openapi: "3.0.3"\npaths:\n  /a:\n    get:\n      responses:\n        200: {description: ok}\n';
  assert.deepEqual(read(yaml), expected);
});

test('parseDocument: YAML keeps words as text and resolves anchors and merges', () => {
  assert.deepEqual(read('a: [yes, no, on, 2024-01-01]\nb: &x {c: 1}\nd: *x\ne:\n  <<: *x\n  f: 2\n'), {
    a: ['yes', 'no', 'on', '2024-01-01'],
    b: { c: 1 },
    d: { c: 1 },
    e: { c: 1, f: 2 },
  });
});

test('parseDocument: a repeated member is refused with its line', () => {
  assert.equal(refusal('{"a": 1,\n "b": {"c": 1},\n "a": 2}'), 'api.yaml:3: has "a" twice; keep one');
  assert.equal(refusal('{"a": [{"b": "\\"", "\\u0062": 1}]}'), 'api.yaml:1: has "b" twice; keep one');
  assert.equal(refusal('a:\n  b: 1\n  c: 2\n  b: 3\n'), 'api.yaml:4: has "b" twice; keep one');
  assert.equal(refusal('responses:\n  200: a\n  "200": b\n'), 'api.yaml:3: has "200" twice; keep one');
  assert.deepEqual(read('{"a": {"a": 1}, "b": [{"a": 1}, {"a": 2}], "c": "a"}'), {
    a: { a: 1 },
    b: [{ a: 1 }, { a: 2 }],
    c: 'a',
  });
});

test('parseDocument: a syntax error is refused with its line', () => {
  for (const text of ['{"a": 1,\n "b" 2}', 'a: b\n c: d\n', 'a: "open\n', '\ta: 1']) {
    assert.match(refusal(text), /^api\.yaml:[12]: \S/, text);
  }
  assert.match(refusal('a: *nowhere\n'), /^api\.yaml: Unresolved alias .*nowhere/);
});

test('parseDocument: a tag that includes a file is refused', () => {
  assert.match(refusal('a: 1\nb: !include other.yaml\n'), /^api\.yaml:2: Unresolved tag: !include/);
});

test('parseDocument: aliases that expand to billions of values are refused', () => {
  const laughs = ['a: &a [lol, lol, lol, lol, lol, lol, lol, lol, lol]'];
  for (const [one, other] of ['ab', 'bc', 'cd', 'de', 'ef', 'fg', 'gh', 'hi']) {
    laughs.push(`${other}: &${other} [${Array(9).fill(`*${one}`).join(', ')}]`);
  }
  assert.equal(
    refusal(laughs.join('\n')),
    'api.yaml: has aliases that stand for too much; write out what they stand for',
  );
});

test('parseDocument: deep nesting and large files are refused', () => {
  assert.match(refusal(`a: ${'['.repeat(50_000)}`), /^api\.yaml: is nested too deep to be read$/);
  assert.equal(refusal(`{"a": "${'x'.repeat(33 * 1024 * 1024)}"}`), 'api.yaml: must have at most 32 MB');
  assert.equal(
    refusal(`a: ${'x'.repeat(17 * 1024 * 1024)}`),
    'api.yaml: must have at most 16 MB as YAML; make it JSON',
  );
});

test('parseDocument: any JSON equals JSON.parse', () => {
  fc.assert(
    fc.property(fc.object({ withNullPrototype: false }), fc.nat(4), (value, space) => {
      const text = JSON.stringify(value, null, space);
      assert.deepEqual(read(text), JSON.parse(text));
    }),
  );
});

const $ref = 'https://example.com/scim/v2/Users/1';
const DATA = { members: [{ value: '1', $ref }], $ref };

/** Where OpenAPI has data: members of a parameter, of media and of a schema. */
const PLACES: Record<string, JsonObject> = {
  'an example': { example: DATA },
  'examples of a schema': { examples: [DATA] },
  'a default': { default: DATA },
  'an enumeration': { enum: [DATA] },
  'a constant': { const: DATA },
  'an extension': { 'x-any': DATA },
  'a property named $ref': { properties: { $ref: { type: 'string', example: '../Users/1' } } },
  'a property named example': { properties: { example: { type: 'object', example: DATA } } },
};

for (const [place, schema] of Object.entries(PLACES)) {
  test(`importOpenApi: a $ref in ${place} is data`, () => {
    const media = { schema, example: DATA, examples: { one: { value: DATA } }, 'x-any': DATA };
    const { resource, notes } = resourceOf(
      {
        operationId: 'call',
        'x-any': DATA,
        parameters: [
          { name: 'a', in: 'query', schema, style: 'deepObject', example: DATA, examples: { one: { value: DATA } } },
        ],
        requestBody: { content: { 'application/json': media }, 'x-any': DATA },
        responses: { 200: { content: { 'application/json': media }, links: { next: { parameters: DATA } } } },
      },
      { method: 'post', more: { 'x-any': DATA, components: { examples: { one: { value: DATA } } } } },
    );
    assert.deepEqual(resource.mock?.body, DATA);
    const { body, query } = resource.parameters;
    assert.deepEqual((query!.properties as JsonObject).a, body);
    const { example, 'x-any': _, ...kept } = schema;
    const shown = example === undefined ? kept : { examples: [DATA] };
    if (schema.properties === undefined) assert.deepEqual(body, shown);
    else assert.deepEqual(Object.keys(body!.properties as object), Object.keys(schema.properties as object));
    assert.ok(notes.every(({ at }) => !at.includes('$ref')));
  });
}

test('importOpenApi: a reference of a property with the name of data is one', () => {
  for (const name of ['example', 'default', 'enum', 'const', 'x-any', '$ref']) {
    const schema = { type: 'object', properties: { [name]: { $ref: 'pet.yaml' } } };
    const requestBody = { content: { 'application/json': { schema } } };
    assert.match(refusalOf(() => resourceOf({ requestBody }, { method: 'post' })).join(), /must begin with #/, name);
  }
});

/** The document in `fixtures` was written for this test, those in `published` are parts of vendors' documents. */
const FILES = ['fixtures/petstore.yaml', 'published/github.json', 'published/stripe.json', 'published/figma.yaml'];

for (const file of FILES) {
  const [folder, slug] = file.split(/[/.]/) as [string, string];
  const document = parseDocument(readFileSync(join(import.meta.dirname, file), 'utf8'), file);

  test(`importOpenApi: ${file} gives the reviewed connector and notes`, () => {
    const { definition, notes } = importOpenApi(document, { slug });
    assertGolden(join(import.meta.dirname, folder, `${slug}.golden.json`), { notes, definition });
  });

  test(`importOpenApi: ${file} imported again changes nothing`, () => {
    const { definition } = importOpenApi(document, { slug });
    assert.deepEqual(connectorDefinitionSchema.parse(JSON.parse(JSON.stringify(definition))), definition);
    const again = importOpenApi(document, { slug, existing: definition });
    assert.deepEqual(again.changes, []);
    assert.deepEqual(again.definition, definition);
  });
}

/** Compares with the golden file, which UPDATE_GOLDEN=1 rewrites. */
function assertGolden(path: string, imported: unknown): void {
  const shown = JSON.parse(JSON.stringify(imported));
  if (UPDATES_GOLDEN) writeFileSync(path, `${JSON.stringify(shown, null, 2)}\n`);
  assert.ok(existsSync(path), `there is no ${path}; UPDATE_GOLDEN=1 writes what is imported`);
  assert.deepEqual(shown, JSON.parse(readFileSync(path, 'utf8')));
}
