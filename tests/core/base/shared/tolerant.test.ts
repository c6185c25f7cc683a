import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { z } from 'zod';
import { RuntimeError } from '../../../../src/core/base/shared/errors.ts';
import { parse } from '../../../../src/core/base/shared/parse.ts';
import { type Tolerance, tolerantParse } from '../../../../src/core/base/shared/tolerant.ts';

const filterSchema = z.strictObject({
  key: z.string().min(1),
  value: z.union([z.string(), z.number(), z.array(z.string()).min(1)]).optional(),
});

const schema = z.strictObject({
  name: z.string().min(1).optional(),
  count: z.int().default(5),
  share: z.number().optional(),
  active: z.boolean().optional(),
  filters: z.array(filterSchema).min(1).optional(),
  labels: z.record(z.string(), z.string()).optional(),
  inner: z.strictObject({ note: z.string().optional(), tags: z.array(z.string()).min(1).optional() }).optional(),
});

const TEXT: Tolerance = { text: true };

function read(input: unknown, tolerance?: Tolerance, by: z.ZodType = schema): unknown {
  const result = tolerantParse(by, input, tolerance);
  assert.ok(result.success, JSON.stringify(result.error?.issues));
  return result.data;
}

function refused(by: z.ZodType, input: unknown, tolerance?: Tolerance): string[] {
  try {
    parse(by, input, tolerance);
  } catch (error) {
    assert.ok(error instanceof RuntimeError);
    return error.messages;
  }
  assert.fail(`accepted: ${JSON.stringify(input)}`);
}

test('tolerantParse: a refused null or empty array counts as left out', () => {
  for (const name of Object.keys(schema.shape)) {
    assert.deepEqual(read({ [name]: null }), { count: 5 }, name);
    assert.deepEqual(read({ [name]: [] }), { count: 5 }, name);
  }
  const all = Object.fromEntries(Object.keys(schema.shape).map((name, at) => [name, at % 2 === 0 ? null : []]));
  assert.deepEqual(read(all), { count: 5 });
});

test('tolerantParse: members of members and of items may be left out, too', () => {
  assert.deepEqual(read({ inner: { note: null, tags: [] } }), { count: 5, inner: {} });
  assert.deepEqual(
    read({
      filters: [
        { key: 'a', value: null },
        { key: 'b', value: [] },
      ],
    }),
    {
      count: 5,
      filters: [{ key: 'a' }, { key: 'b' }],
    },
  );
});

test('tolerantParse: null and empty arrays keep the meaning that the schema gives them', () => {
  const meant = z.strictObject({
    tabId: z.string().nullable().optional(),
    list: z.array(z.string()).optional(),
    free: z.record(z.string(), z.unknown()).optional(),
    any: z.unknown(),
    count: z.number().optional(),
  });
  const input = { tabId: null, list: [], free: { a: null, b: [], c: { d: null } }, any: null };
  assert.deepEqual(read(input, {}, meant), input);
  assert.deepEqual(read({ ...input, count: null }, TEXT, meant), input);
});

test('tolerantParse: entries of records are never left out, for they may be conditions', () => {
  for (const blank of [null, [], ''] as const) {
    const filter = z.strictObject({ filter: z.record(z.string(), z.union([z.number(), z.array(z.number()).min(1)])) });
    assert.match(refused(filter, { filter: { customer: blank } }, TEXT)[0]!, /^filter\.customer: /);
  }
  assert.deepEqual(refused(schema, { labels: { a: 'b', c: null, d: [] } }), [
    'labels.c: must be a string',
    'labels.d: must be a string',
  ]);
});

test('tolerantParse: null in a member of another variant counts as left out', () => {
  const variants = z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('text'), text: z.string() }),
    z.strictObject({ type: z.literal('image'), url: z.string() }),
  ]);
  assert.deepEqual(read({ type: 'text', text: 'a', url: null }, {}, variants), { type: 'text', text: 'a' });
  assert.deepEqual(refused(variants, { type: 'text', text: 'a', url: 'b' }), ['url: unknown member']);
  assert.deepEqual(refused(variants, { type: 'text', text: 'a', uri: null }), [
    'uri: unknown member; did you mean url?',
  ]);
});

test('tolerantParse: strict repairs nothing', () => {
  assert.deepEqual(refused(schema, { name: null }, { strict: true }), ['name: must be a string']);
});

test('tolerantParse: items of arrays are never left out', () => {
  for (const items of [[null], [[]], [{ key: 'a' }, null], ['']]) {
    assert.match(refused(schema, { filters: items }, TEXT)[0]!, /^filters\[\d\]: must be an object$/);
  }
  assert.deepEqual(refused(schema, { inner: { tags: ['a', null] } }, TEXT), ['inner.tags[1]: must be a string']);
});

test('tolerantParse: the input itself and unknown members stay refused', () => {
  for (const input of [null, [], '', '{}', 7])
    assert.deepEqual(refused(schema, input, TEXT), ['input: must be an object']);
  assert.deepEqual(refused(schema, { unknown: null }, TEXT), ['unknown: unknown member']);
  assert.deepEqual(refused(schema, { inner: { other: [] } }, TEXT), ['inner.other: unknown member']);
});

test('tolerantParse: a required member is still required, an array says what it lacks', () => {
  const needy = z.strictObject({
    name: z.string(),
    events: z.array(z.string()).min(1, 'needs at least one event'),
    inner: z.strictObject({ id: z.int() }),
  });
  const right = { name: 'a', events: ['e'], inner: { id: 1 } };
  assert.deepEqual(refused(needy, { ...right, name: null }), ['name: is required']);
  assert.deepEqual(refused(needy, { ...right, inner: null }), ['inner: is required']);
  assert.deepEqual(refused(needy, { ...right, inner: { id: null } }), ['inner.id: is required']);
  assert.deepEqual(refused(needy, { ...right, events: null }), ['events: is required']);
  assert.deepEqual(refused(needy, { ...right, events: [] }), ['events: needs at least one event']);
  assert.deepEqual(refused(needy, { ...right, name: '', inner: { id: '' } }, TEXT), ['inner.id: must be a number']);
  assert.deepEqual(refused(needy, {}), ['name: is required', 'events: is required', 'inner: is required']);
});

test('tolerantParse: one wrong member does not make others count that are left out', () => {
  assert.deepEqual(refused(schema, { name: null, count: 'x', inner: { tags: [] } }), ['count: must be a number']);
  assert.deepEqual(refused(schema, { filters: [{ key: null, value: null }] }), ['filters[0].key: is required']);
});

test('tolerantParse: with text, texts become what the schema wants', () => {
  const cases: [object, object][] = [
    [{ count: '7' }, { count: 7 }],
    [{ count: ' +7 ' }, { count: 7 }],
    [{ count: '1e2' }, { count: 100 }],
    [{ share: '-0.5' }, { share: -0.5 }],
    [{ active: 'true' }, { active: true }],
    [{ active: ' FALSE' }, { active: false }],
    [{ filters: '[{"key":"a","value":"1"}]' }, { filters: [{ key: 'a', value: '1' }] }],
    [{ filters: ['{"key":"a"}'] }, { filters: [{ key: 'a' }] }],
    [{ labels: '{"a":"b"}' }, { labels: { a: 'b' } }],
    [{ inner: '{"note":null,"tags":"[\\"a\\"]"}' }, { inner: { tags: ['a'] } }],
    [{ filters: '[]', inner: ' {} ' }, { inner: {} }],
    [{ name: '', count: '', share: '', active: '', filters: '', labels: '', inner: '' }, {}],
  ];
  for (const [given, meant] of cases) {
    assert.deepEqual(read(given, TEXT), { count: 5, ...meant }, JSON.stringify(given));
    assert.equal(tolerantParse(schema, given).success, false, JSON.stringify(given));
  }
});

test('tolerantParse: with text, a text that is wanted stays a text', () => {
  for (const name of ['7', 'true', '[]', '{}', 'null', ' ']) assert.deepEqual(read({ name }, TEXT), { count: 5, name });
  for (const value of ['7', '["a"]', '']) {
    assert.deepEqual(read({ filters: [{ key: 'k', value }] }, TEXT), { count: 5, filters: [{ key: 'k', value }] });
  }
});

test('tolerantParse: with text, other texts stay refused', () => {
  for (const count of [
    'seven',
    '7 days',
    '0x7',
    '7,5',
    '1_000',
    'Infinity',
    '1e999',
    '9007199254740993',
    '7.5',
    'null',
  ]) {
    assert.match(refused(schema, { count }, TEXT)[0]!, /^count: must be /, count);
  }
  for (const active of ['yes', '1', '0', 'on', 'null']) {
    assert.deepEqual(refused(schema, { active }, TEXT), ['active: must be a boolean'], active);
  }
  for (const filters of ['{}', '[', '[{"key":"a"},]', 'key=a', 'null']) {
    assert.deepEqual(refused(schema, { filters }, TEXT), ['filters: must be an array'], filters);
  }
  assert.deepEqual(refused(schema, { inner: '[]' }, TEXT), ['inner: must be an object']);
  assert.match(refused(schema, { filters: '[{"key":7}]' }, TEXT)[0]!, /^filters\[0\]\.key: must be a string/);
});

test('tolerantParse: nothing but the refused members of a union is repaired', () => {
  const shapes = z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('a'), tab: z.string().optional(), size: z.number() }),
    z.strictObject({ type: z.literal('b'), tab: z.string().nullable(), size: z.number() }),
  ]);
  assert.deepEqual(read({ type: 'a', tab: null, size: '2' }, TEXT, shapes), { type: 'a', size: 2 });
  assert.deepEqual(read({ type: 'b', tab: null, size: '2' }, TEXT, shapes), { type: 'b', tab: null, size: 2 });
});

test('tolerantParse: the input is not changed', () => {
  const input = {
    name: null,
    count: '7',
    filters: [{ key: 'a', value: null }],
    inner: { tags: [], note: null },
    labels: '{"a":"b"}',
  };
  const before = structuredClone(input);
  read(input, TEXT);
  assert.deepEqual(input, before);
  refused(schema, { ...input, unknown: 1 }, TEXT);
  assert.deepEqual(input, before);
});

test('tolerantParse: a frozen input, and one of any depth, is read', () => {
  const frozen = Object.freeze({ name: null, inner: Object.freeze({ note: null, tags: Object.freeze([]) }) });
  assert.deepEqual(read(frozen), { count: 5, inner: {} });
  const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`) as unknown;
  assert.match(refused(schema, { name: null, count: null, filters: deep })[0]!, /^filters\[0\]: must be an object/);
  const free = z.strictObject({ free: z.unknown(), name: z.string().optional() });
  assert.equal((read({ free: deep, name: null }, TEXT, free) as { free: unknown }).free, deep);
});

test('tolerantParse: members named as those of prototypes are harmless', () => {
  const records = z.strictObject({ labels: z.record(z.string(), z.string()), count: z.number().optional() });
  const texts = [
    '{"labels":{"a":"b","__proto__":null},"count":"7"}',
    '{"labels":{"a":"b","constructor":null,"toString":[]},"count":null}',
    '{"labels":{"a":"b"},"count":"7","__proto__":{"count":1}}',
    '{"labels":"{\\"__proto__\\":{\\"polluted\\":1},\\"a\\":\\"b\\"}"}',
    '{"__proto__":null,"constructor":null,"labels":null}',
  ];
  for (const text of texts) {
    const result = tolerantParse(records, JSON.parse(text), TEXT);
    if (result.success) assert.deepEqual(result.data.labels, { a: 'b' }, text);
  }
  assert.equal(Object.hasOwn(Object.prototype, 'polluted'), false);
  assert.equal(({} as Record<string, unknown>).polluted, undefined);
  assert.equal(typeof Object.prototype.toString, 'function');
  assert.deepEqual(refused(schema, JSON.parse('{"__proto__":null}')), ['__proto__: unknown member']);
});

test('tolerantParse: any JSON ends with an answer, and what is valid is not changed', () => {
  const values = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom(null, [], '', '[]', '{}', '[null]', '{"key":[]}'),
  );
  const members = fc.dictionary(fc.constantFrom(...Object.keys(schema.shape), 'x'), values, { maxKeys: 5 });
  fc.assert(
    fc.property(fc.oneof(members, values), fc.boolean(), (input, text) => {
      const strict = schema.safeParse(input);
      const result = tolerantParse(schema, input, { text });
      if (strict.success) assert.deepEqual(result.data, strict.data);
      // A second pass over what was read changes nothing.
      if (result.success) assert.deepEqual(schema.parse(result.data), result.data);
    }),
    { seed: 20_261_123, numRuns: 1_000 },
  );
});
