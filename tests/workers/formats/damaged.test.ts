import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Format } from '../../../src/workers/format.ts';
import { docx } from '../../../src/workers/formats/docx/format.ts';
import { pdf } from '../../../src/workers/formats/pdf.ts';
import { goldenInputs } from '../../support/golden-folder.ts';
import { optionsFor, readAll } from './sections.ts';

/** Which bytes become which, and where the file ends; positions in thousandths of its size. */
const DAMAGES = fc.record({
  exchanged: fc.array(fc.tuple(fc.nat(999), fc.nat(255)), { minLength: 1, maxLength: 20 }),
  kept: fc.oneof({ weight: 4, arbitrary: fc.constant(1_000) }, fc.nat(1_000)),
});

const FILES: [format: Format, name: 'pdf' | 'docx', files: string[]][] = [
  [pdf, 'pdf', ['two-columns.pdf', 'page-tree-loop.pdf', 'cjk-without-font.pdf', 'owner-password.pdf']],
  [docx, 'docx', ['libreoffice.docx', 'pandoc.docx']],
];

for (const [format, name, files] of FILES) {
  for (const { path } of goldenInputs(name, `.${name}`).filter((input) => files.includes(basename(input.path)))) {
    test(`${basename(path)}: any damage is either readable or reported as unreadable`, async (t) => {
      const folder = mkdtempSync(join(tmpdir(), 'damaged-'));
      t.after(() => rmSync(folder, { recursive: true, force: true }));
      const whole = readFileSync(path);
      const damaged = join(folder, 'upload');
      const isRead = fc.asyncProperty(DAMAGES, async ({ exchanged, kept }) => {
        const content = Buffer.from(whole);
        for (const [place, byte] of exchanged) content[Math.floor((place * content.length) / 1_000)] = byte;
        writeFileSync(damaged, content.subarray(0, Math.floor((kept * content.length) / 1_000)));
        await readAll(format, damaged, optionsFor(name));
      });
      await fc.assert(isRead, { numRuns: 50 });
    });
  }
}
