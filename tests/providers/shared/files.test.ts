import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dataUrlOf, fileOf, isText } from '../../../src/providers/shared/files.ts';

const read = (filename: string, file_data: string) =>
  fileOf({ type: 'file', file: { filename, file_data } }, 'messages[2].content[1]');

test('fileOf: the type comes from the data or else from the filename', () => {
  assert.deepEqual(read('a.txt', 'data:application/pdf;base64,AAAA'), { mediaType: 'application/pdf', base64: 'AAAA' });
  assert.deepEqual(read('A.PDF', 'AAAA'), { mediaType: 'application/pdf', base64: 'AAAA' });
  assert.deepEqual(read('a.csv', 'data:;base64,AAAA'), { mediaType: 'text/csv', base64: 'AAAA' });
  assert.deepEqual(read('a.docx', 'data:application/octet-stream;base64,AAAA').base64, 'AAAA');
  assert.equal(dataUrlOf(read('a.md', 'AAAA')), 'data:text/markdown;base64,AAAA');
});

test('fileOf: an unknown type is refused with its path and a remedy', () => {
  for (const name of ['a', 'a.unknown', '.pdf']) {
    assert.throws(() => read(name, 'AAAA'), {
      kind: 'refused',
      message: /^messages\[2\]\.content\[1\]\.file\.file_data: .*data: URL/,
    });
  }
});

test('isText: accepts text formats of people and programs', () => {
  for (const type of ['text/plain', 'text/x-python', 'application/json', 'application/ld+json', 'image/svg+xml']) {
    assert.ok(isText(type), type);
  }
  for (const type of ['application/pdf', 'image/png', 'application/vnd.ms-excel', 'application/x-json-seq']) {
    assert.ok(!isText(type), type);
  }
});
