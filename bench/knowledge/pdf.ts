import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { installed } from '../events/engines/install.ts';
import { median } from '../events/measure.ts';
import type { Bench } from './bench.ts';
import type { PdfRead, PdfThread } from './pdf-entry.ts';
import { pdfFiles } from './pdf-files.ts';

const run = promisify(execFile);

const PDFJS = { 'pdfjs-dist': '6.5.438' };
const MOST_TEXT = 1 << 28;

/** Pages a second of real PDFs, each reader in a thread of its own, in turn; and pages whose text is passed over in silence. */
export async function benchPdf({ options, report, directory }: Bench): Promise<void> {
  const files = await pdfFiles(directory);
  if (files.length === 0)
    throw new Error('There are no PDFs: neither groff nor Chromium nor documentation is installed.');
  await installed(options.engines, PDFJS);
  const threads = { ours: threadOf('ours', options.engines), pdfjs: threadOf('pdfjs', options.engines) };
  const rounds: { ours: Pass; pdfjs: Pass }[] = [];
  try {
    // The first does not count: both load and compile themselves.
    for (let round = 0; round <= options.rounds; round++) {
      const passes = { ours: await pass(threads.ours, files), pdfjs: await pass(threads.pdfjs, files) };
      if (round > 0) rounds.push(passes);
    }
  } finally {
    await Promise.all(Object.values(threads).map((thread) => thread.terminate()));
  }
  const expected = await Promise.all(files.map(pagesOfPdftotext));
  const [{ ours, pdfjs }] = rounds as [{ ours: Pass; pdfjs: Pass }];
  const pages = ours.texts.flat().length;
  const rate = (reader: 'ours' | 'pdfjs') =>
    median(rounds.map((passes) => pages / (passes[reader].milliseconds / 1_000)));
  const ratio = median(rounds.map((passes) => passes.pdfjs.milliseconds / passes.ours.milliseconds));
  const empties = { ours: silentEmpties(ours, expected), pdfjs: silentEmpties(pdfjs, expected) };
  report.table('pdf', `${files.length} files, ${pages} pages, median of ${options.rounds} rounds`, [
    {
      what: 'ours',
      values: { 'pages/s': rate('ours'), 'x pdf.js': ratio },
      demanded: { of: 'x pdf.js', atLeast: 1.2 },
    },
    { what: 'pdf.js 6.5.438', values: { 'pages/s': rate('pdfjs'), 'x pdf.js': 1 } },
    { what: 'ours', values: { 'silent empties': empties.ours }, demanded: { of: 'silent empties', atMost: 0 } },
    { what: 'pdf.js 6.5.438', values: { 'silent empties': empties.pdfjs } },
  ]);
}

interface Pass {
  milliseconds: number;
  /** Of each page of each file. */
  texts: string[][];
}

function threadOf(reader: PdfThread['reader'], engines: string): Worker {
  return new Worker(new URL('./pdf-entry.ts', import.meta.url), { workerData: { reader, engines } });
}

async function pass(thread: Worker, files: string[]): Promise<Pass> {
  const done: Pass = { milliseconds: 0, texts: [] };
  for (const file of files) {
    thread.postMessage(file);
    const [{ milliseconds, texts }] = (await once(thread, 'message')) as [PdfRead];
    done.milliseconds += milliseconds;
    done.texts.push(texts);
  }
  return done;
}

async function pagesOfPdftotext(path: string): Promise<string[]> {
  const { stdout } = await run('pdftotext', [path, '-'], { maxBuffer: MOST_TEXT });
  return stdout.split('\f');
}

/** Pages that have text, by Poppler's word, and none by the reader's. */
function silentEmpties({ texts }: Pass, expected: string[][]): number {
  const pages = expected.flatMap((file, index) =>
    file.map((text, page) => ({ text, found: texts[index]?.[page] ?? '' })),
  );
  return pages.filter(({ text, found }) => text.trim() !== '' && found.trim() === '').length;
}
