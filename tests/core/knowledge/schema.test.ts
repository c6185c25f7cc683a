import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  ingestFieldsSchema,
  searchKnowledgeSchema,
  searchSchema,
  storeNameSchema,
} from '../../../src/core/knowledge/schema.ts';

const fieldsOf = (fields: Record<string, string>) => ingestFieldsSchema.parse({ vectorStore: 'a', ...fields });

test('vector store name: letters, digits and three marks are allowed', () => {
  for (const name of ['a', 'A-b_c.9', '.', 'x'.repeat(100)]) assert.equal(storeNameSchema.parse(name), name);
  for (const name of ['', 'a b', 'a/b', 'é', 'a\n', 'x'.repeat(101), '%00']) {
    assert.equal(storeNameSchema.safeParse(name).success, false, name);
  }
});

test('ingest fields: delimiter names, spaced columns and flags in any case work', () => {
  const delimiters = {
    tab: '\t',
    '\\t': '\t',
    TAB: '\t',
    comma: ',',
    semicolon: ';',
    pipe: '|',
    '|': '|',
    ' ': ' ',
    '\t': '\t',
  };
  for (const [written, meant] of Object.entries(delimiters)) {
    assert.equal(fieldsOf({ csvDelimiter: written }).csvDelimiter, meant, written);
  }
  assert.deepEqual(fieldsOf({ csvContentColumns: ' a ,b,, a' }).csvContentColumns, ['a', 'b']);
  assert.deepEqual(
    [' TRUE ', 'False', ''].map((flag) => fieldsOf({ hygieneStripHtml: flag }).hygieneStripHtml),
    [true, false, false],
  );
});

test('ingest fields: empty fields count as absent', () => {
  const { vectorStore, hygieneStripHtml, ...rest } = fieldsOf({
    ...{ metadata: '', csvDelimiter: '', csvContentColumns: '', csvMetadataColumns: ' , ', hygieneStripHtml: '' },
  });
  assert.deepEqual(
    [vectorStore, hygieneStripHtml, Object.values(rest).filter((one) => one !== undefined)],
    ['a', false, []],
  );
});

test('ingest fields: metadata is any valid JSON object, unchanged', () => {
  const value = fc
    .jsonValue({ maxDepth: 4, noUnicodeString: false })
    .filter((one) => !/[\ud800-\udfff]/.test(JSON.stringify(one)));
  const names = fc.string({ unit: fc.constantFrom(...'abc. _"😀') }).filter((name) => name !== 'sourceId');
  fc.assert(
    fc.property(fc.dictionary(names, value, { maxKeys: 5, noNullPrototype: true }), (metadata) => {
      const parsed = ingestFieldsSchema.safeParse({ vectorStore: 'a', metadata: JSON.stringify(metadata) });
      // Numbers that a double cannot hold are refused.
      if (parsed.success) assert.deepEqual(JSON.stringify(parsed.data.metadata), JSON.stringify(metadata));
      else assert.match(parsed.error.issues[0]!.message, /number|integer|2\^53|finite/i, JSON.stringify(metadata));
    }),
    { numRuns: 40 },
  );
});

test('search schema: ten results by default, five for the tool; limits are capped', () => {
  assert.deepEqual(
    [searchSchema.parse({ query: 'x' }).limit, searchKnowledgeSchema.parse({ query: 'x' }).limit],
    [10, 5],
  );
  const many = { query: 'x', limit: 1_000 };
  assert.deepEqual([searchSchema.parse(many).limit, searchKnowledgeSchema.parse(many).limit], [50, 20]);
});
