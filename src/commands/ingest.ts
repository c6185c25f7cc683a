import { Argument, type Command, Option } from 'commander';
import { loadConfig } from '../config.ts';
import { DEFAULT_TENANT } from '../core/auth/bootstrap.ts';
import type { ShownJob } from '../core/knowledge/schema.ts';
import { counted, formatBytes, oneLine } from '../core/shared/text.ts';
import { untilInterrupted } from './input/interrupt.ts';
import { type AdministrationOptions, withAdministration } from './input/options.ts';
import { KnowledgeClient, Refused } from './knowledge/client.ts';
import { type FieldFlags, filesToSend, type SizedFile } from './knowledge/ingest-files.ts';
import { print } from './presentation/output.ts';
import { showProgress } from './presentation/progress.ts';
import { type Access, withDestination } from './server/destination.ts';

interface IngestOptions extends AdministrationOptions, FieldFlags {
  tenant: string;
  url?: string;
  wait: boolean;
}

interface Outcome {
  file: string;
  /** `queued`: with `--no-wait`. `refused`: without a job. */
  status: 'completed' | 'failed' | 'queued' | 'refused' | 'interrupted';
  jobId: string | null;
  documentId: string | null;
  chunks: number | null;
  error: string | null;
}

const PARTS = 1_000;
const INTERRUPTED = 130;

export function register(program: Command): void {
  withAdministration(program.command('ingest').description('take files into a vector store, where search finds them'))
    .addArgument(new Argument('<files...>', 'PDF, DOCX, TXT, MD, JSON (also NDJSON) or CSV files'))
    .requiredOption('--store <name>', 'vector store; made with its first file')
    .option('--tenant <tenant>', 'name or id of the tenant', DEFAULT_TENANT)
    .option('--metadata <json>', 'an object that every passage carries, to filter by: {"lang": "en"}')
    .option('--source-id <id>', 'replaces the document that was ingested with the same one')
    .option('--csv-delimiter <character>', 'one character, or tab (default: found in the file)')
    .option('--csv-content-columns <columns>', 'comma-separated columns that become text (default: all)')
    .option('--csv-metadata-columns <columns>', 'comma-separated columns that become metadata of their row')
    .option('--strip-html', 'take HTML tags out, and decode entities')
    .option('--remove-urls', 'take web addresses out')
    .option('--drop-empty-values', 'take out what stands for nothing: N/A, null, -')
    .option('--normalize-whitespace', 'collapse repeated white space')
    .option('--dedupe', 'leave out rows and passages that the file has already had')
    .option('--no-wait', 'end once the files are on the server; it ingests them by itself')
    .addOption(new Option('--url <url>', 'send to this server, with AGENT_RUNTIME_API_KEY (AGENT_RUNTIME_URL)'))
    .addHelpText('after', HELP)
    .action(ingest);
}

const HELP = `
Without --url it works on the data directory, beside a server or without one.
The exit code is 1 when a file was not ingested, and 130 when you left before the end: the server goes on all the same.

  agent-runtime ingest handbook.pdf faq.md --store help
  agent-runtime ingest prices.csv --store prices --csv-content-columns name,text --csv-metadata-columns sku
  agent-runtime search "how long does a refund take" --store help
`;

async function ingest(paths: string[], options: IngestOptions): Promise<void> {
  const config = loadConfig({ dataDir: options.dataDir, url: options.url }, { logLevel: 'warn' });
  const files = filesToSend(paths, options);
  const access: Access = {
    command: 'ingest',
    tenant: options.tenant,
    scopes: ['knowledge:write', 'knowledge:read'],
  };
  const outcomes: Outcome[] = [];
  await withDestination(config, access, (destination) =>
    untilInterrupted(async (signal) => {
      const client = new KnowledgeClient(destination, signal);
      for (const file of files) {
        const outcome = await ingestFile(client, file, options, signal);
        outcomes.push(outcome);
        if (!options.json) process.stdout.write(`${inWords(outcome)}\n`);
        if (outcome.status === 'interrupted') {
          process.stderr.write(interruptedNote(outcome, config.url === undefined ? null : client));
          break;
        }
      }
    }),
  );
  const isGood = outcomes.every(({ status }) => status === 'completed' || status === 'queued');
  if (options.json) print(options, { ok: isGood, vectorStore: options.store, files: outcomes }, []);
  const wasInterrupted = outcomes.some(({ status }) => status === 'interrupted');
  if (!isGood) process.exitCode = wasInterrupted ? INTERRUPTED : 1;
}

/** Returns failures of this file and throws all others. */
async function ingestFile(
  client: KnowledgeClient,
  file: SizedFile,
  { json = false, wait }: IngestOptions,
  signal: AbortSignal,
): Promise<Outcome> {
  const outcome: Outcome = {
    file: file.path,
    status: 'queued',
    jobId: null,
    documentId: null,
    chunks: null,
    error: null,
  };
  try {
    outcome.jobId = await send(client, file, json);
    return wait ? { ...outcome, ...outcomeOf(await watch(client, outcome.jobId, file, json)) } : outcome;
  } catch (error) {
    if (signal.aborted) return { ...outcome, status: 'interrupted' };
    if (error instanceof Refused && error.isOfFile) return { ...outcome, status: 'refused', error: error.message };
    throw error;
  }
}

function outcomeOf({ status, documentId, processedChunks, error }: ShownJob): Partial<Outcome> {
  return status === 'completed'
    ? { status, documentId, chunks: processedChunks }
    : { status: 'failed', error: error ?? 'The server does not say why.' };
}

async function send(client: KnowledgeClient, file: SizedFile, isQuiet: boolean): Promise<string> {
  const total = isQuiet ? 0 : file.size;
  const progress = await showProgress(total, 'sending {name}, {size}', shownOf(file));
  try {
    return await client.send(file, (read) => progress.update(Math.min(read, total)));
  } finally {
    progress.stop();
  }
}

async function watch(client: KnowledgeClient, jobId: string, file: SizedFile, isQuiet: boolean): Promise<ShownJob> {
  const counts = { processedChunks: 0, totalChunks: 0 };
  const shown = 'ingesting {name}, {processedChunks} of {totalChunks} chunks';
  const progress = await showProgress(isQuiet ? 0 : PARTS, shown, { ...shownOf(file), ...counts });
  try {
    return await client.watch(jobId, ({ progress: done, processedChunks, totalChunks }) =>
      progress.update(Math.floor(done * PARTS), { ...shownOf(file), processedChunks, totalChunks }),
    );
  } finally {
    progress.stop();
  }
}

function shownOf({ name, size }: SizedFile): { name: string; size: string } {
  return { name: oneLine(name), size: formatBytes(size) };
}

function inWords({ file, status, jobId, documentId, chunks, error }: Outcome): string {
  switch (status) {
    case 'completed':
      return `${file}: ${counted(chunks ?? 0, 'chunk')}, document ${documentId}`;
    case 'queued':
      return `${file}: stored, and waits to be ingested as job ${jobId}`;
    case 'failed':
      return `${file}: FAILED (job ${jobId}): ${error}`;
    case 'refused':
      return `${file}: REFUSED: ${error}`;
    case 'interrupted':
      return `${file}: ${jobId === null ? 'not sent; nothing of it is stored' : `not ingested yet, job ${jobId}`}`;
  }
}

function interruptedNote({ jobId }: Outcome, client: KnowledgeClient | null): string {
  if (jobId === null) return '';
  const progress = client
    ? 'The server goes on with it.'
    : 'It goes on while a server, or another command, runs on the data directory.';
  const address = client?.addressOf(jobId) ?? `/api/v1/runtime/v1/vectors/ingestion-jobs/${jobId}`;
  return `${progress} To watch it again, run the same command. To cancel it, POST ${address}/cancel, with a key.\n`;
}
