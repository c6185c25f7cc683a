import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { UnreadableDocument } from '../../../src/core/knowledge/reader.ts';
import { json } from '../../../src/workers/formats/json.ts';
import { fileOf } from '../../support/upload-file.ts';
import { readOptions, sectionsOf } from '../../text/textual.ts';

const OPTIONS = readOptions({ format: 'json' });

async function contentsOf(t: TestContext, content: string | Buffer): Promise<unknown[]> {
  return (await sectionsOf(json, fileOf(t, content), OPTIONS)).map((section) => section.content);
}

test('JSON: an element is a record whose fields are named by their paths', async (t) => {
  const document = [
    {
      name: 'Ana',
      address: { city: 'Natal', geo: { lat: -5.79 } },
      tags: ['a', 'b', 3],
      orders: [{ id: 1, lines: ['x', 'y'] }, { id: 2 }],
      matrix: [
        [1, 2],
        [3, 4],
      ],
      active: true,
      note: null,
      none: [],
      empty: {},
    },
  ];
  assert.deepEqual(await contentsOf(t, JSON.stringify(document)), [
    [
      ['name', 'Ana'],
      ['address.city', 'Natal'],
      ['address.geo.lat', '-5.79'],
      ['tags', 'a, b, 3'],
      ['orders[0].id', '1'],
      ['orders[0].lines', 'x, y'],
      ['orders[1].id', '2'],
      ['matrix[0]', '1, 2'],
      ['matrix[1]', '3, 4'],
      ['active', 'true'],
      ['note', ''],
      ['none', ''],
    ],
  ]);
});

test('JSON: an element without names is plain text', async (t) => {
  assert.deepEqual(await contentsOf(t, '["text", 12345678901234567890, [1, "b"], null, {}, {"a": null, "b": [" "]}]'), [
    'text',
    '12345678901234567890',
    '1, b',
    '',
    [],
    [],
  ]);
});

test('JSON: each record has its position, and reading resumes from it', async (t) => {
  const content = '[\n{"a": 1},\n\n{"a": "é"}\n]';
  const path = fileOf(t, content);
  const sections = await sectionsOf(json, path, OPTIONS);
  assert.deepEqual(sections, [
    {
      content: [['a', '1']],
      headings: [],
      place: { row: 1, line: 2 },
      isRecord: true,
      next: { byte: 10, row: 1, line: 2 },
      done: 10 / 26,
    },
    {
      content: [['a', 'é']],
      headings: [],
      place: { row: 2, line: 4 },
      isRecord: true,
      next: { byte: 24, row: 2, line: 4 },
      done: 24 / 26,
    },
  ]);
  const prepared = await json.prepare(path, OPTIONS);
  assert.deepEqual(await Array.fromAsync(json.read(prepared, sections[0]!.next, OPTIONS)), sections.slice(1));
});

test('JSON: arrays, lines and single values in any Unicode encoding are read', async (t) => {
  for (const content of ['[{"a":"ação"}]', '{"a":"ação"}\n', '\n{\n"a": "ação"\n}']) {
    for (const encoding of ['utf-8', 'utf-16le', 'utf-16be']) {
      assert.deepEqual(await contentsOf(t, iconv.encode(content, encoding)), [[['a', 'ação']]], encoding + content);
      assert.deepEqual(await contentsOf(t, iconv.encode(`\ufeff${content}`, encoding)), [[['a', 'ação']]]);
    }
  }
  assert.deepEqual(await contentsOf(t, '{"a":1}\r\n\r\n{"b":2}'), [[['a', '1']], [['b', '2']]]);
});

test('JSON: a name such as __proto__ is an ordinary name', async (t) => {
  assert.deepEqual(await contentsOf(t, '[{"__proto__": {"x": "1"}}]'), [[['__proto__.x', '1']]]);
});

test('JSON: an unreadable file is refused with the remedy', async (t) => {
  for (const [content, message] of [
    ['', /holds no values/],
    ['[]', /holds no values/],
    [' \n', /holds no values/],
    ['{"a":1', /Value 1 in line 1 .*the file ends within it/],
    ['[{"a":1}] x', /something follows the end of the array/],
    ['['.repeat(100_000), /deeper than 100 levels/],
    [`[1, {"${'k'.repeat(500_000)}": [${'{"":1},'.repeat(50_000)}1]}]`, /^Value 2 becomes more than 100 MB of text/],
    [`[{"a":1},\n"${'x'.repeat(3_000_000)}"]`, /Element 2, which begins in line 2, is longer than 1 MB/],
  ] as const) {
    await assert.rejects(contentsOf(t, content), (error) => {
      assert.ok(error instanceof UnreadableDocument);
      assert.match(error.message, message);
      return true;
    });
  }
});

test('JSON: no value of a document is lost', async (t) => {
  const leaves = (value: unknown): string[] =>
    typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [String(value ?? '')];
  await fc.assert(
    fc.asyncProperty(fc.array(fc.jsonValue({ maxDepth: 3 }), { minLength: 1, maxLength: 5 }), async (document) => {
      const contents = await contentsOf(t, JSON.stringify(document));
      for (const [index, content] of contents.entries()) {
        const found =
          typeof content === 'string' ? content : (content as string[][]).map(([, text]) => text).join(', ');
        const expected = leaves(document[index]).filter((leaf) => leaf !== '');
        let at = 0;
        for (const leaf of expected) {
          at = found.indexOf(leaf, at);
          assert.notEqual(at, -1, leaf);
          at += leaf.length;
        }
      }
    }),
    { numRuns: 100 },
  );
});
