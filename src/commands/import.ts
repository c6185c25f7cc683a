import { createReadStream, existsSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import { Argument, type Command, Option } from 'commander';
import { type Config, loadConfig } from '../config.ts';
import { DEFAULT_TENANT } from '../core/auth/bootstrap.ts';
import type { ImportFormat } from '../importing/read.ts';
import { type Destination, type ImportResult, sendRows } from '../importing/send.ts';
import { createLog } from '../log.ts';
import { Ownership } from '../ownership/ownership.ts';
import { openState } from '../runtime.ts';
import { announceNew, print, withAdministration } from './options.ts';
import { showProgress } from './progress.ts';

interface ImportOptions {
  dataDir?: string;
  json?: boolean;
  tenant: string;
  agent?: string;
  format?: ImportFormat;
  eventName?: string;
  url?: string;
}

const SHOWN_REJECTIONS = 10;

export function registerImport(program: Command): void {
  withAdministration(
    program.command('import').description('import events in bulk from NDJSON or CSV; safe to run again'),
  )
    .addArgument(new Argument('<file>', 'file to read; - reads standard input'))
    .option('--tenant <tenant>', 'name or id of the tenant', DEFAULT_TENANT)
    .option('--agent <agent>', 'agent of events that name none (default: default)')
    .addOption(new Option('--format <format>', 'default: by the file name, else ndjson').choices(['ndjson', 'csv']))
    .option('--event-name <name>', 'event name for a CSV without a column eventName')
    .option('--url <url>', 'send to this server, with AGENT_RUNTIME_API_KEY (AGENT_RUNTIME_URL)')
    .action(importFile);
}

async function importFile(file: string, options: ImportOptions): Promise<void> {
  const config = loadConfig({ dataDir: options.dataDir, url: options.url }, { logLevel: 'warn' });
  if (file !== '-' && !existsSync(file)) throw new Error(`There is no file ${file}.`);
  const size = file === '-' ? 0 : statSync(file).size;
  const { idPrefix, readRows } = await import('../importing/read.ts');
  const prefix = await idPrefix(file);
  const result = await withDestination(config, options, async (destination) => {
    const progress = await showProgress(options.json ? 0 : size, '{accepted} events', { accepted: 0 });
    const input = file === '-' ? process.stdin : createReadStream(file);
    let read = 0;
    input.on('data', (chunk: string | Buffer) => {
      read += chunk.length;
    });
    const format = options.format ?? (extname(file).toLowerCase() === '.csv' ? 'csv' : 'ndjson');
    const rows = readRows(input, { format, eventName: options.eventName });
    try {
      return await sendRows(rows, destination, prefix, ({ accepted }) => progress.update(read, { accepted }));
    } finally {
      progress.stop();
    }
  });
  report(options, result);
  if (result.rejected.length > 0) process.exitCode = 1;
}

/** A server elsewhere, or the owner of the data directory: this process itself if there is none. */
async function withDestination<Result>(
  config: Config,
  options: ImportOptions,
  work: (destination: Destination) => Promise<Result>,
): Promise<Result> {
  if (config.url !== undefined) {
    if (config.apiKey === undefined) throw new Error('Set AGENT_RUNTIME_API_KEY to a key with the scope events:write.');
    return work({ url: config.url.replace(/\/$/, ''), apiKey: config.apiKey, fetch });
  }
  announceNew(config.dataDir);
  const log = createLog(config.logLevel);
  const ownership = new Ownership({
    dataDir: config.dataDir,
    yields: true,
    info: () => ({ command: 'import', pid: process.pid }),
    // The operator's own import is not held up by a limit meant for callers.
    open: async () => (await import('../household.ts')).openHousehold({ ...config, rateLimit: 0 }, log),
    onError: (error) => log.error({ err: error }, 'the data directory could not be opened'),
  });
  const state = await openState(config);
  try {
    // A directory that cannot be opened is known before anything is read.
    await ownership.tryOwn();
    void ownership.watch();
    // A key for this import alone: the operator's way in is the same door that everybody uses.
    const tenant = await state.auth.tenant(options.tenant);
    const { id, key } = await state.auth.createKey(
      tenant.id,
      {
        agentId: options.agent ?? null,
        label: 'import',
        scopes: ['events:write', 'events:read'],
        expiresAt: Date.now() + 86_400_000,
      },
      null,
    );
    try {
      return await work({ url: 'http://localhost', apiKey: key, fetch: ownership.fetch });
    } finally {
      await state.auth.revokeKey(id);
    }
  } finally {
    await ownership.close();
    await state.close();
  }
}

function report(options: ImportOptions, { accepted, duplicates, rejected }: ImportResult): void {
  const shown = rejected
    .slice(0, SHOWN_REJECTIONS)
    .map(({ line, message }) => `  line ${line}: ${message.replace(/^events\[\d+\]\.?/, '')}`);
  print(options, { accepted, duplicates, rejected: rejected.length, problems: rejected.slice(0, 100) }, [
    `Imported ${accepted} events; ${duplicates} were there already, ${rejected.length} were rejected.`,
    ...shown,
    ...(rejected.length > SHOWN_REJECTIONS ? [`  ... and ${rejected.length - SHOWN_REJECTIONS} more`] : []),
  ]);
}
