import assert from 'node:assert/strict';
import { test } from 'node:test';
import BetterSqlite3 from 'better-sqlite3';
import fc from 'fast-check';
import { searchable, termsOf } from '../../../../src/core/knowledge/terms.ts';
import {
  createTables,
  createWords,
  vocabularyTable,
  wordsTable,
} from '../../../../src/storage/knowledge/sqlite/schema.ts';

test('createTables(): a file of another version is refused, with both', (t) => {
  const database = new BetterSqlite3(':memory:');
  t.after(() => database.close());
  createTables(database);
  createTables(database);
  database.pragma('user_version = 1');
  assert.throws(() => createTables(database), /older agent-runtime \(schema 1, this program knows 2\)/);
  database.pragma('user_version = 3');
  assert.throws(() => createTables(database), /newer agent-runtime \(schema 3, this program knows 2\)/);
});

const STORE = 1;

test('word index: a text is found by each of its words, spelt as in the vocabulary', () => {
  const texts = [
    'Ο οδός της πόλης ΟΔΟΣ',
    'straße STRASSE ẞ ﬁle İstanbul ǅ x² ™',
    '1️⃣ Preheat 2⃣',
    'Ka\u00adpi\u00adtel soft\u00adhyphen',
    'ᎣᏏᏲ ꭴꮟᏺ',
    'ᲥᲐᲠᲗᲣᲚᲘ ქართული',
    '𐐐𐐯𐑅𐐨𐑉𐐯𐐻 𞤀𞤣𞤤𞤢𞤥',
    'Thanks🥺 𝠀¹ a҈b',
    'naïve e\u0301te\u0301 Ångström',
    'இந்தியா हिन्दी ภาษาไทย 東京都 カタカナー 한국어',
  ];
  for (const text of texts) assertFound(text);
});

test('word index: random texts are found by each of their words', () => {
  for (const unit of ['grapheme', 'binary'] as const) {
    fc.assert(fc.property(fc.string({ unit, maxLength: 40 }), assertFound), { numRuns: 40 });
  }
});

const database = new BetterSqlite3(':memory:');
createWords(database, STORE);

function assertFound(text: string): void {
  const words = wordsTable(STORE);
  database.prepare(`INSERT INTO ${words} (rowid, headings, text) VALUES (1, '', ?)`).run(searchable(text));
  try {
    for (const { word, isPrefix } of termsOf(text)) {
      const match = `"${word}"${isPrefix ? '*' : ''}`;
      const found = database.prepare(`SELECT 1 FROM ${words} WHERE ${words} MATCH ?`).get(match);
      assert.ok(found, `${JSON.stringify(text)} is found by ${match}`);
      if (isPrefix) continue;
      const known = database.prepare(`SELECT 1 FROM ${vocabularyTable(STORE)} WHERE term = ?`).get(word);
      assert.ok(known, `the vocabulary of ${JSON.stringify(text)} has ${word}`);
    }
  } finally {
    database.prepare(`DELETE FROM ${words}`).run();
  }
}
