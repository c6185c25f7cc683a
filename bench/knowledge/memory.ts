import { readFileSync } from 'node:fs';
import type { Line } from '../events/report.ts';
import { serve } from '../support.ts';
import type { Bench } from './bench.ts';
import { csvFile } from './csv-file.ts';
import { ServedKnowledge, secondsOf } from './served-knowledge.ts';

/** Of a row with 150 words, about. */
const ROW_BYTES = 1_500;
const SMALL_BYTES = 33_000_000;
const LARGE_BYTES_A_ROW = 100;
const UPLOAD_BYTES_A_ROW = 200;
const PIECE_BYTES = 1 << 20;

/**
 * What a server process holds at most, by the size of what comes: a CSV ingested with vectors, and a file that is only
 * received. Each by a server of its own. With 10,000,000 --rows the large CSV has 1 GB, and the upload 2 GB.
 */
export async function benchMemory({ options, report, directory }: Bench): Promise<void> {
  const sizes = { small: SMALL_BYTES, large: options.rows * LARGE_BYTES_A_ROW };
  const small = await ingesting(directory, Math.round(sizes.small / ROW_BYTES));
  report.progress(`${small.megabytes} MB of CSV: ${small.peak} MB`);
  const large = await ingesting(directory, Math.round(sizes.large / ROW_BYTES));
  const uploadBytes = options.rows * UPLOAD_BYTES_A_ROW;
  const upload = await receiving(uploadBytes);
  const line = (what: string, { peak, atStart, seconds }: Measured): Line => ({
    what,
    values: { 'at start MB': atStart, 'peak MB': peak, 'x small': peak / small.peak, seconds },
  });
  report.table('memory', 'peak of the server process (VmHWM)', [
    line(`ingesting a CSV of ${small.megabytes} MB`, small),
    { ...line(`ingesting a CSV of ${large.megabytes} MB`, large), demanded: { of: 'x small', atMost: 1.5 } },
    line(`receiving a file of ${Math.round(uploadBytes / 1e6)} MB`, upload),
  ]);
}

interface Measured {
  atStart: number;
  peak: number;
  seconds: number;
}

async function ingesting(directory: string, rows: number): Promise<Measured & { megabytes: number }> {
  const { path, bytes } = await csvFile(directory, { rows, words: 150 });
  const measured = await withServer('knowledge-hash', async (knowledge) =>
    secondsOf(await knowledge.ingest('memory', path)),
  );
  return { ...measured, megabytes: Math.round(bytes / 1e6) };
}

/** A PDF so large is refused before it is read: what is seen is what receiving takes. */
function receiving(bytes: number): Promise<Measured> {
  return withServer('knowledge', async (knowledge) => {
    const started = performance.now();
    await knowledge.ended(await knowledge.upload({ store: 'memory', name: 'large.pdf', content: largePdf(bytes) }));
    return (performance.now() - started) / 1_000;
  });
}

function* largePdf(bytes: number): Generator<Buffer> {
  const piece = Buffer.alloc(PIECE_BYTES, '%PDF-1.7\n');
  for (let left = bytes; left > 0; left -= piece.length) yield piece.subarray(0, Math.min(left, piece.length));
}

async function withServer(kind: string, run: (knowledge: ServedKnowledge) => Promise<number>): Promise<Measured> {
  const served = await serve(kind);
  const knowledge = new ServedKnowledge(served);
  try {
    const pid = await served.ask<number>('pid');
    const atStart = peakMegabytes(pid);
    const seconds = await run(knowledge);
    return { atStart, peak: peakMegabytes(pid), seconds };
  } finally {
    knowledge.close();
    await served.stop();
  }
}

/** Linux only, as the figures are. What the process itself says of its peak may be its parent's. */
function peakMegabytes(pid: number): number {
  const kilobytes = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kilobytes) / 1_000);
}
