import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CHUNK_TOKENS, chunksOf, estimatedTokens, type Passage } from '../../../src/core/knowledge/chunking.ts';
import { openTable, titledTables } from '../../../src/core/knowledge/tables.ts';
import { assertLinear } from '../../support/linear.ts';

function chunks(content: Passage['content'], more: Partial<Passage> = {}): string[] {
  return [...chunksOf({ content, headings: [], place: {}, isRecord: false, ...more })].map(({ text }) => text);
}

const WORD = fc.constantFrom('valve', 'pressure', 'bar', '7.5', 'größer', '圧力', 'x');
const CELL = fc.array(WORD, { minLength: 1, maxLength: 8 }).map((words) => words.join(' '));
const TABLE = fc.integer({ min: 1, max: 6 }).chain((columns) =>
  fc.record({
    rows: fc.array(fc.array(CELL, { minLength: columns, maxLength: columns }), { minLength: 20, maxLength: 120 }),
    columns: fc.constant(Array.from({ length: columns }, (_, index) => `Column ${index}`)),
    isEdged: fc.constant(columns === 1).chain((isNeeded) => (isNeeded ? fc.constant(true) : fc.boolean())),
    before: CELL,
  }),
);

test('chunksOf(): every chunk of a table has its header; none is too long', () => {
  fc.assert(
    fc.property(TABLE, ({ rows, columns, isEdged, before }) => {
      const line = (cells: string[]) => (isEdged ? `| ${cells.join(' | ')} |` : cells.join(' | '));
      const lines = rows.map((cells, index) => line([`row${index} ${cells[0]}`, ...cells.slice(1)]));
      const header = `${line(columns)}\n${line(columns.map(() => '---'))}`;
      const found = chunks(`${before}\n\n${header}\n${lines.join('\n')}\n\nThe end.`);
      for (const text of found) {
        assert.ok(estimatedTokens(text) <= CHUNK_TOKENS, `${estimatedTokens(text)} tokens`);
        if (/row\d/.test(text)) assert.equal(text.split(header).length, 2, text);
      }
      for (const row of lines)
        assert.ok(
          found.some((text) => text.includes(row)),
          row,
        );
    }),
    { numRuns: 50 },
  );
});

const many = (row: (index: number) => string) => Array.from({ length: 400 }, (_, index) => row(index)).join('\n');

const KINDS: [what: string, table: string, title: RegExp][] = [
  [
    'padded',
    `| name${' '.repeat(60)} | dose |\n|${'-'.repeat(66)}|:----:|\n${many((n) => `| drug ${n} | ${n} mg |`)}`,
    /^\| name \| dose \|\n\|---\|:---:\|\n\| drug/,
  ],
  ['quoted', `> a | b\n> --- | ---\n${many((n) => `> ${n} | value`)}`, /^> a \| b\n> --- \| ---\n/],
  [
    'HTML',
    `<table class="x">\n<thead><tr><th>name</th><th>dose</th></tr></thead>\n${many((n) => `<tr><td>drug ${n}</td><td>${n} mg</td></tr>`)}\n</table>`,
    /^<table class="x"> <thead><tr><th>name<\/th><th>dose<\/th><\/tr><\/thead>\n<tr><td>drug/,
  ],
];

test('chunksOf(): tables of any notation repeat their header', () => {
  for (const [what, table, title] of KINDS) {
    const [, ...rest] = chunks(`Text before.\n\n${table}\n`);
    assert.ok(rest.length > 1, what);
    for (const text of rest) assert.match(text, title, what);
  }
});

test('chunksOf(): text with bars, code and long headers is no table', () => {
  const wide = `| ${'column '.repeat(300)} | b |\n| --- | --- |\n${many((n) => `| ${n} | value |`)}`;
  for (const text of [many((n) => `${n} | a || b`), `a | b\nc | d\n${many((n) => `${n} | x`)}`, wide]) {
    for (const chunk of chunks(text).slice(1)) assert.ok(text.includes(chunk), chunk.slice(0, 80));
  }
});

test('chunksOf(): each part of a long field of a row begins with its name', () => {
  const value = 'many words of one value '.repeat(300);
  const [first, ...rest] = chunks(
    [
      ['id', '7'],
      ['text', `a\r\n${value}`],
      ['last', 'z'],
    ],
    { isRecord: true },
  );
  assert.match(first!, /^id: 7\ntext: a\nmany/);
  assert.ok(rest.length > 2);
  for (const text of rest) assert.match(text, /^text: \w/);
  assert.match(rest.at(-1)!, /\nlast: z$/);
});

test('openTable(): a table that a section cuts goes on in the next one', () => {
  const rows = many((n) => `| ${n} | value |`);
  const header = '| a | b |\n| --- | --- |\n';
  assert.equal(openTable(`Text.\n\n${header}${rows}\n`), header);
  assert.equal(openTable(`${rows}\n`, header), header);
  assert.equal(openTable(`${header}${rows}\n\n`), undefined);
  assert.equal(openTable(`${header}${rows}\n\nText.`), undefined);
  for (const text of chunks(rows, { openTable: header })) assert.ok(text.startsWith(header));
  assert.deepEqual(chunks('Another text.', { openTable: header }), ['Another text.']);
});

test('tablesOf(): takes linear time', () => {
  for (const piece of ['| - ', '|-\n', ' \t', '<table><tr>', 'a | b\n--- | ---\n\n', '|-|\t ']) {
    assertLinear((length) => piece.repeat(length / piece.length), 20_000, titledTables);
  }
});
