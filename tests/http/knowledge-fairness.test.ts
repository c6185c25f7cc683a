import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { testApp } from '../support/app.ts';
import { accepted, ended, jobOf } from '../support/knowledge.ts';
import { eventually } from '../support/process.ts';
import { makePdf, stream } from '../workers/formats/make-pdf.ts';
import { newDesk } from './knowledge-support.ts';

const THREADS = 2;
const QUEUED = 30;

test('Ingestion: a small file is ingested while another tenant has slow documents and a full queue', {
  timeout: 120_000,
}, async (t) => {
  const app = await testApp(t, { rateLimit: 0, ingestThreads: THREADS, ingestQueue: QUEUED + THREADS });
  const [busy, other] = [await newDesk(app), await newDesk(app)];
  const slow: string[] = [];
  for (let number = 0; number < THREADS; number++) {
    slow.push(await accepted(busy, { name: `slow ${number}.pdf`, content: SLOW_PDF }));
  }
  const statusOf = async (jobId: string) => (await jobOf(busy, jobId)).status;
  const allAre = async (status: string) => (await Promise.all(slow.map(statusOf))).every((one) => one === status);
  await eventually('they are read', () => allAre('processing'), 10_000);
  const queued: string[] = [];
  for (let number = 0; number < QUEUED; number++) {
    queued.push(await accepted(busy, { name: `${number}.txt`, content: `text ${number}` }));
  }

  const { status } = await ended(other, await accepted(other, { name: 'small.md', content: '# Title\ntext' }));
  assert.equal(status, 'completed');
  assert.ok(await allAre('processing'));
  assert.deepEqual(new Set(await Promise.all(queued.map(statusOf))), new Set(['queued']));
});

/** Has no text on any of its 5,000 pages, so that all are drawn before it is refused: a minute or more of a thread. */
const SLOW_PDF = pdfWithoutText(5_000, 50_000);

function pdfWithoutText(pages: number, lines: number): Buffer {
  const drawn = deflateSync(Buffer.from('0 0 m 1 1 l S\n'.repeat(lines)));
  const page = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 3 0 R /Resources << >> >>';
  const kids = Array.from({ length: pages }, (_, index) => `${index + 4} 0 R`).join(' ');
  return makePdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages} >>`,
    stream('/Filter /FlateDecode', drawn),
    ...Array.from({ length: pages }, () => page),
  ]);
}
