import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Chunk } from '../../src/core/knowledge/reader.ts';
import { prepare, readSlice } from '../../src/workers/slices.ts';
import { fileOf } from '../support/upload-file.ts';
import { docxOf, paragraph } from './formats/make-docx.ts';
import { optionsFor } from './formats/sections.ts';

const ROWS = Array.from({ length: 4_000 }, (_, index) => [`code ${index}`, `meaning number ${index}`]);
const cell = (text: string) => `<w:tc>${paragraph(text)}</w:tc>`;
const row = (cells: string[]) => `<w:tr>${cells.map(cell).join('')}</w:tr>`;
const tableOf = (...rows: string[][]) => `<w:tbl>${rows.map(row).join('')}</w:tbl>`;

const FILES: [format: 'md' | 'txt' | 'docx', content: string | Buffer][] = [
  ['md', `# All\n\ncode | meaning\n--- | ---\n${ROWS.map((cells) => cells.join(' | ')).join('\n')}\n\nEnd.`],
  ['txt', `code | meaning\n--- | ---\n${ROWS.map((cells) => cells.join(' | ')).join('\n')}`],
  ['docx', docxOf(`${paragraph('All', 'Heading1')}${tableOf(['code', 'meaning'], ...ROWS)}${paragraph('End.')}`)],
];

for (const [format, content] of FILES) {
  test(`readSlice(): a table of ${format} that goes on in the next section keeps its header`, async (t) => {
    const options = optionsFor(format);
    const prepared = await prepare(fileOf(t, content), options);
    const chunks: Chunk[] = [];
    for (let from: unknown = null, slices = 0; from !== null || slices === 0; slices += 1) {
      const slice = await readSlice(prepared, from, options, 1);
      chunks.push(...slice.chunks);
      from = JSON.parse(JSON.stringify(slice.next));
    }
    for (const { text } of chunks) {
      if (text.includes('code 1')) assert.match(text, /^code \| meaning\n--- \| ---\ncode \d+ \| meaning number \d+\n/);
    }
    const found = chunks.map(({ text }) => text).join('\n');
    for (const cells of ROWS) assert.ok(found.includes(cells.join(' | ')), cells.join());
  });
}
