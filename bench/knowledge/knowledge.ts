import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Options } from '../events/options.ts';
import { Report } from '../events/report.ts';
import type { Bench } from './bench.ts';
import { benchCsvIngest } from './csv-ingest.ts';
import { benchEventLoop } from './event-loop.ts';
import { benchMemory } from './memory.ts';
import { benchPdf } from './pdf.ts';
import { benchRecall } from './recall.ts';
import { benchRetrieval } from './retrieval.ts';
import { benchVectors } from './vectors.ts';

/** The parts of the bench of knowledge, in the order in which they run. */
export const knowledgeParts: Record<string, (bench: Bench) => Promise<void>> = {
  retrieval: benchRetrieval,
  'csv-ingest': benchCsvIngest,
  pdf: benchPdf,
  vectors: benchVectors,
  recall: benchRecall,
  'event-loop': benchEventLoop,
  memory: benchMemory,
};

/** Runs the named parts, or all. A part that fails says so, and the next one runs. */
export async function benchKnowledge(named: string[], options: Options): Promise<void> {
  const report = new Report(options.json);
  const directory = options.work ?? mkdtempSync(join(tmpdir(), 'agent-runtime-bench-'));
  mkdirSync(directory, { recursive: true });
  try {
    for (const part of named.length > 0 ? named : Object.keys(knowledgeParts)) {
      try {
        await knowledgeParts[part]?.({ options, report, directory, isNamed: (name) => named.includes(name) });
      } catch (error) {
        report.failure(part, error instanceof Error ? (error.stack ?? error.message) : String(error));
      }
    }
  } finally {
    if (options.work === null) rmSync(directory, { recursive: true, force: true });
  }
}
