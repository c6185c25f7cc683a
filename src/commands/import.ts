import { createReadStream, existsSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import { Argument, type Command, Option } from 'commander';
import { loadConfig } from '../config.ts';
import type { ImportFormat } from '../importing/read.ts';
import { type ImportResult, sendRows } from '../importing/send.ts';
import { type TenantOptions, withTenant } from './input/options.ts';
import { print } from './presentation/output.ts';
import { showProgress } from './presentation/progress.ts';
import { type Access, withDestination } from './server/destination.ts';

interface ImportOptions extends TenantOptions {
  agent?: string;
  format?: ImportFormat;
  eventName?: string;
  url?: string;
}

const SHOWN_REJECTIONS = 10;

export function register(program: Command): void {
  withTenant(program.command('import').description('import events in bulk from NDJSON or CSV; safe to run again'))
    .addArgument(new Argument('<file>', 'file to read; - reads standard input'))
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
  const { tenant, agent: agentId } = options;
  const access: Access = { command: 'import', tenant, agentId, scopes: ['events:write', 'events:read'] };
  const result = await withDestination(config, access, async (destination) => {
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
      progress.finish();
    }
  });
  report(options, result);
  if (result.rejected.length > 0) process.exitCode = 1;
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
