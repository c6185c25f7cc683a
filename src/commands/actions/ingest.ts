import { loadConfig } from '../../config.ts';
import { counted } from '../../core/base/shared/text.ts';
import type { ShownJob } from '../../core/knowledge/schema.ts';
import type { Destination } from '../../importing/send.ts';
import type { AdministrationOptions } from '../input/options.ts';
import { untilInterrupted } from '../input/prompt.ts';
import { KnowledgeClient, RefusedUpload } from '../knowledge/client.ts';
import { type FieldFlags, type FoundFiles, filesToSend } from '../knowledge/ingest-files.ts';
import { IngestProgress, IngestReport, type Outcome } from '../knowledge/ingest-progress.ts';
import { print } from '../presentation/output.ts';
import { type Access, withDestination } from '../server/destination.ts';

interface IngestOptions extends AdministrationOptions, FieldFlags {
  tenant: string;
  url?: string;
  wait: boolean;
}

/** The number of files that a server reads of one tenant. */
const AT_ONCE = 4;
const INTERRUPTED = 130;

export async function run(paths: string[], options: IngestOptions): Promise<void> {
  const config = loadConfig({ dataDir: options.dataDir, url: options.url }, { logLevel: 'warn' });
  const found = filesToSend(paths, options);
  const access: Access = {
    command: 'ingest',
    tenant: options.tenant,
    scopes: ['knowledge:write', 'knowledge:read'],
  };
  await withDestination(config, access, (destination) =>
    untilInterrupted(async (interrupted) => {
      const report = await ingestAll(found, options, { destination, interrupted });
      if (report.isGood) return;
      process.stderr.write(interruptedNote(report.outcomes, config.url === undefined ? null : destination));
      process.exitCode = report.has('interrupted') ? INTERRUPTED : 1;
    }),
  );
}

/** A fault that is not of a file ends all of them and is thrown after the report. */
async function ingestAll(
  found: FoundFiles,
  { json = false, store, wait }: IngestOptions,
  { destination, interrupted }: { destination: Destination; interrupted: AbortSignal },
): Promise<IngestReport> {
  const faults: unknown[] = [];
  const failing = new AbortController();
  const onFault = (error: unknown) => {
    faults.push(error);
    failing.abort();
  };
  const signal = AbortSignal.any([interrupted, failing.signal]);
  const client = new KnowledgeClient(destination, signal);
  const progress = await IngestProgress.show(found, { json, wait });
  const report = new IngestReport(found, (outcome) => {
    if (json) return;
    progress.clear();
    process.stdout.write(`${inWords(outcome)}\n`);
  });
  const queue = found.entries();
  const work = async () => {
    for (const [index, file] of queue) {
      report.add(index, await ingestFile(client, file, { wait, signal, progress, onFault }));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  progress.stop();
  const { outcomes, isGood, summary } = report;
  if (json) print({ json }, { ok: isGood, vectorStore: store, files: outcomes }, []);
  if (outcomes.length > 1 && !json) process.stdout.write(`${summary}\n`);
  if (faults.length > 0) throw faults[0];
  return report;
}

interface Ingesting {
  wait: boolean;
  signal: AbortSignal;
  progress: IngestProgress;
  /** A fault that is not of one file: it ends the others as well. */
  onFault: (error: unknown) => void;
}

async function ingestFile(
  client: KnowledgeClient,
  file: FoundFiles[number],
  { wait, signal, progress, onFault }: Ingesting,
): Promise<Outcome> {
  const outcome: Outcome = {
    file: file.path,
    status: 'queued',
    jobId: null,
    documentId: null,
    chunks: null,
    error: null,
  };
  if ('skipped' in file) return { ...outcome, status: 'skipped', error: file.skipped };
  if (signal.aborted) return { ...outcome, status: 'interrupted' };
  try {
    const { jobId, notes } = await client.send(file, (bytes) => progress.sent(file, bytes));
    outcome.jobId = jobId;
    if (notes.length > 0) outcome.notes = notes;
    if (!wait) return outcome;
    const job = await client.watch(jobId, (seen) => progress.ingested(file, seen));
    const all = [...notes, ...(job.notes ?? [])];
    return { ...outcome, ...outcomeOf(job), ...(all.length > 0 && { notes: all }) };
  } catch (error) {
    const isOfFile = error instanceof RefusedUpload && error.isOfFile;
    if (!signal.aborted && isOfFile) return { ...outcome, status: 'refused', error: error.message };
    if (!signal.aborted) onFault(error);
    return { ...outcome, status: 'interrupted' };
  } finally {
    progress.ended(file);
  }
}

function outcomeOf({ status, documentId, processedChunks, error }: ShownJob): Partial<Outcome> {
  return status === 'completed'
    ? { status, documentId, chunks: processedChunks }
    : { status: 'failed', error: error ?? 'The server does not say why.' };
}

function inWords({ file, status, jobId, documentId, chunks, error, notes = [] }: Outcome): string {
  const noted = notes.map((note) => ` (${note})`).join('');
  switch (status) {
    case 'completed':
      return `${file}: ${counted(chunks ?? 0, 'chunk')}, document ${documentId}${noted}`;
    case 'queued':
      return `${file}: stored, and waits to be ingested as job ${jobId}${noted}`;
    case 'skipped':
      return `${file}: skipped, it ${error}`;
    case 'failed':
      return `${file}: FAILED (job ${jobId}): ${error}`;
    case 'refused':
      return `${file}: REFUSED: ${error}`;
    case 'interrupted':
      return `${file}: ${jobId === null ? 'not sent; nothing of it is stored' : `not ingested yet, job ${jobId}`}`;
  }
}

/** Nothing where none goes on. */
function interruptedNote(outcomes: Outcome[], remote: Destination | null): string {
  const [first, ...others] = outcomes.filter(({ status, jobId }) => status === 'interrupted' && jobId !== null);
  if (!first) return '';
  const it = others.length === 0 ? 'it' : 'them';
  const progress = remote
    ? `The server goes on with ${it}.`
    : 'Ingestion goes on while a server, or another command, runs on the data directory.';
  const jobId = others.length === 0 ? first.jobId! : 'JOB';
  const address = `${remote?.url ?? ''}/api/v1/runtime/v1/vectors/ingestion-jobs/${jobId}/cancel`;
  const one = others.length === 0 ? 'it' : 'one';
  return `${progress} To watch ${it} again, run the same command. To cancel ${one}, POST ${address}, with a key.\n`;
}
