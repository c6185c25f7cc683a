import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { plainFileName } from '../../../src/http/body/form.ts';

const nasty = fc.string({
  unit: fc.constantFrom('a', 'ß', '🌍', '\ud83c', '.', '..', '/', '\\', '\0', '\n', '\x85', '\u202e', ' ', '.csv'),
  maxLength: 600,
});

const long = fc.string({ unit: fc.constantFrom('a', ' ', '🌍', '.'), minLength: 200, maxLength: 300 });

test('plainFileName: removes directories and invisible characters, idempotently', () => {
  fc.assert(
    fc.property(fc.oneof(nasty, long, fc.string({ unit: 'binary', maxLength: 600 })), (sent) => {
      const name = plainFileName(sent);
      assert.doesNotMatch(name, /[/\\\p{Cc}\u202e]/u);
      assert.ok(name.length <= 255 && name.isWellFormed() && name === name.trim());
      assert.equal(plainFileName(name), name);
    }),
  );
});

test('plainFileName: a long name keeps its extension and whole characters', () => {
  assert.equal(plainFileName(`${'🌍'.repeat(200)}.csv`), `${'🌍'.repeat(125)}.csv`);
  assert.equal(plainFileName('n'.repeat(300)), 'n'.repeat(255));
});
