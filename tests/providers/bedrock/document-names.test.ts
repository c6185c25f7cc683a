import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DocumentNames } from '../../../src/providers/bedrock/document-names.ts';

test('DocumentNames: a name is the filename in the allowed characters', () => {
  const names = new DocumentNames();
  assert.equal(names.nameOf('Pedido nº 7 (ação)  final.v2.pdf'), 'Pedido no 7 (acao) final-v2');
  assert.equal(names.nameOf('日本.pdf'), 'document');
  assert.equal(names.nameOf('.pdf'), 'document (2)');
});

test('DocumentNames: names are valid, short and unique', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 255 }), { maxLength: 30 }),
      (filenames) => {
        const names = new DocumentNames();
        const all = filenames.map((filename) => names.nameOf(filename));
        for (const name of all) {
          assert.match(name, /^[a-zA-Z0-9()[\]-](?:[a-zA-Z0-9()[\]-]| (?! )){0,199}$/);
        }
        assert.equal(new Set(all).size, all.length);
      },
    ),
  );
});
