import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApp } from '../../../support/app.ts';
import { accepted, ended, jobOf } from '../../../support/knowledge.ts';
import { eventually } from '../../../support/process.ts';
import { pdfWithoutText } from '../../../workers/formats/make-pdf.ts';
import { newDesk } from './support.ts';

const THREADS = 2;
const QUEUED = 30;

test("Ingestion: a small file passes another tenant's slow documents and full queue", {
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

/** Occupies a thread for a minute or more. */
const SLOW_PDF = pdfWithoutText(5_000, 50_000);
