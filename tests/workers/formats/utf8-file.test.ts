import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { Utf8File } from '../../../src/workers/formats/utf8-file.ts';
import { fileOf } from '../../support/upload-file.ts';

test('Utf8File: bytes are the same wherever and in whichever order they are read', (t) => {
  const content = randomBytes(2_500_000);
  const file = new Utf8File(fileOf(t, content));
  t.after(() => file.close());
  const place = fc.tuple(fc.integer({ min: 0, max: content.length }), fc.integer({ min: 0, max: 70_000 }));
  const property = fc.property(fc.array(place, { minLength: 2 }), (places) => {
    for (const [from, length] of places) {
      assert.ok(file.bytes(from, length).equals(content.subarray(from, from + length)));
    }
  });
  fc.assert(property);
  assert.equal(file.size, content.length);
});

test('Utf8File: the text begins after a byte order mark', (t) => {
  for (const [content, start] of [
    ['\ufeffa', 3],
    ['a', 0],
    ['', 0],
  ] as const) {
    const file = new Utf8File(fileOf(t, content));
    t.after(() => file.close());
    assert.equal(file.start, start);
    assert.equal(file.text(file.start, file.size), content.replace('\ufeff', ''));
  }
});
