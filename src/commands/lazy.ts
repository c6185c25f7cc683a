import { Argument, type Command, Option } from 'commander';
import { DEFAULT_TENANT } from '../core/access/auth/bootstrap.ts';
import { SEARCH_MODES } from '../core/knowledge/store.ts';
import { withAdministration, withDataDir, withTenant } from './input/options.ts';
import { currentInvocation } from './presentation/invocation.ts';

/* Commands without subcommands. Their actions are in modules of their own. */

/** Loads the module of an action when the command runs: names and help texts cost little. */
export function lazily<Arguments extends unknown[]>(load: () => Promise<{ run(...given: Arguments): unknown }>) {
  return async (...given: Arguments): Promise<void> => {
    const { run } = await load();
    await run(...given);
  };
}

export function serve(program: Command): void {
  withDataDir(program.command('serve').description('serve REST, MCP (/mcp) and /docs on one port'))
    .option('--port <port>', 'TCP port, 0 for a free one (PORT, default 3000)')
    .option('--host <address>', 'address to listen on (HOST, default 127.0.0.1)')
    .option('--tls-cert <file>', 'PEM file of a certificate: serve HTTPS (AGENT_RUNTIME_TLS_CERTIFICATE)')
    .option('--tls-key <file>', 'PEM file of its key (AGENT_RUNTIME_TLS_KEY)')
    .option('--log-level <level>', 'trace, debug, info, warn, error or silent')
    .action(lazily(() => import('./actions/serve.ts')));
}

export function mcp(program: Command): void {
  withDataDir(
    program.command('mcp').description('MCP over standard input and output, for clients that start their own server'),
  )
    .option('--url <url>', 'bridge to this server instead of the data directory (AGENT_RUNTIME_URL)')
    .option('--log-level <level>', 'trace, debug, info, warn, error or silent')
    .addHelpText('after', '\nThe key comes from AGENT_RUNTIME_API_KEY; it needs the scope mcp:read.')
    .action(lazily(() => import('./actions/mcp.ts')));
}

export function demo(program: Command): void {
  program
    .command('demo')
    .description(
      'try it: a throw-away server with 90 days of a support desk, questions asked through a real MCP client',
    )
    .option('--port <port>', 'TCP port, 0 for a free one', '0')
    .option('--keep-serving', 'go on serving until Ctrl-C (default on a terminal)', process.stdout.isTTY === true)
    .action(lazily(() => import('./actions/demo.ts')));
}

export function importFile(program: Command): void {
  withTenant(
    program
      .command('import')
      .description('import events in bulk from NDJSON or CSV, or everything from a data directory; safe to run again'),
  )
    .addArgument(
      new Argument(
        '<file>',
        'file to read, - for standard input; or a data directory, to copy all of it into an empty place',
      ),
    )
    .option('--agent <agent>', 'agent of events that name none (default: default)')
    .addOption(new Option('--format <format>', 'default: by the file name, else ndjson').choices(['ndjson', 'csv']))
    .option('--event-name <name>', 'event name for a CSV without a column eventName')
    .option('--encoding <name>', 'such as windows-1252, for a file that is neither UTF-8 nor UTF-16')
    .option('--delimiter <character>', 'between columns of a CSV: one character, or tab (default: found in the file)')
    .option(
      '--types <column=type,...>',
      'types of columns of a CSV: text, number, number-point, number-comma or boolean (default: by their values)',
    )
    .option('--dry-run', 'read the file and tell how, send nothing')
    .option('--url <url>', 'send to this server, with AGENT_RUNTIME_API_KEY (AGENT_RUNTIME_URL)')
    .action(lazily(() => import('./actions/import.ts')));
}

export function backup(program: Command): void {
  withPassphrase(
    withAdministration(
      program
        .command('backup <file>')
        .description('pack everything stored into one file, also while `serve` runs and events arrive'),
    ),
  )
    .option('--force', 'replace the file if it exists')
    .option('--recipient <age1...>', 'seal it for a recipient of age instead; may be given again', collect)
    .addHelpText(
      'after',
      '\n`-` writes to standard output. Without a passphrase or recipient, it opens only with the secret key of this installation. secret.key goes in only with a passphrase.',
    )
    .action(lazily(() => import('./actions/backup.ts')));
}

function collect(recipient: string, before: string[] = []): string[] {
  return [...before, recipient];
}

export function restore(program: Command): void {
  withOpeningKeys(
    withAdministration(
      program
        .command('restore <file>')
        .description('put the content of a backup in the place of what the data directory holds'),
    ),
  )
    .addHelpText(
      'after',
      '\n`-` reads standard input. The backup is verified first. What was there is kept in <data>/before-restore-<time>. Nothing else may have the directory open.',
    )
    .action(lazily(() => import('./actions/restore.ts')));
}

export function exportAll(program: Command): void {
  withAdministration(
    program
      .command('export')
      .description('copy everything into a new data directory, from files or databases; safe to run again'),
  )
    .addArgument(new Argument('<directory>', 'data directory to make or to go on with; it holds secrets'))
    .addHelpText('after', '\nServers keep running. Stop writers, and run it again, to take the last changes over.')
    .action(lazily(() => import('./actions/copy-installation.ts')));
}

export function compact(program: Command): void {
  withAdministration(
    program
      .command('compact')
      .description('give the free space in the file of events back to the disk, also while `serve` runs'),
  )
    .addHelpText(
      'after',
      '\nFree space is reused by later events; this is for a disk that needs it now, after a large erasure for example. While it runs, it takes the room of two copies of events.duckdb, and events can be sent and asked for.',
    )
    .action(lazily(() => import('./actions/compact.ts')));
}

export function erase(program: Command): void {
  withAdministration(
    program
      .command('erase')
      .description('remove a tenant, or one of its threads or end users, for good; also while `serve` runs'),
  )
    .requiredOption('--tenant <tenant>', 'name or id of the tenant')
    .option('--thread <id>', 'only what belongs to this thread')
    .option('--user <id>', 'only what belongs to this end user, by the id that your application uses')
    .option('--yes', 'do not ask, for scripts')
    .addHelpText(
      'after',
      '\nWith --thread its events and executions are removed, with their reviews and assessments. With --user the same goes for all threads of the end user; of a thread where other end users have executions, and of executions without a thread, only what belongs to this end user. Without either the tenant is removed, with everything that it owns: events, executions, reviews, vector stores, dashboards, metrics, alerts, connectors and credentials, providers, agents, users and keys.',
    )
    .action(lazily(() => import('./actions/erase.ts')));
}

export function doctor(program: Command): void {
  withOpeningKeys(
    withAdministration(
      program.command('doctor').description('check this installation; exit code 1 when something is wrong'),
    ),
  )
    .option('--backup <file>', 'verify this backup instead: that it is as it was made (`-`: standard input)')
    .option('--accept-loss <file>', 'write off a file that is missing or damaged, so that a start makes a new one')
    .action(lazily(() => import('./actions/doctor.ts')));
}

function withPassphrase(command: Command): Command {
  return command
    .option('--passphrase', 'ask for the passphrase of the backup (AGENT_RUNTIME_BACKUP_PASSPHRASE)')
    .option('--passphrase-file <file>', 'read it from the first line of a file');
}

function withOpeningKeys(command: Command): Command {
  return withPassphrase(command).option(
    '--identity <file>',
    'the age identities of a recipient, or the secret.key of the installation that made the backup',
  );
}

export function search(program: Command): void {
  withAdministration(program.command('search').description('search a vector store'))
    .addArgument(new Argument('<query...>', 'words, or a question'))
    .requiredOption('--store <name>', 'vector store')
    .option('--limit <number>', 'how many passages, at most 50', '5')
    .addOption(new Option('--mode <mode>', 'default: what the store can').choices([...SEARCH_MODES]))
    .option('--filter <json>', 'only passages with this metadata: {"lang": "en"}')
    .option('--tenant <tenant>', 'name or id of the tenant', DEFAULT_TENANT)
    .option('--url <url>', 'ask this server, with AGENT_RUNTIME_API_KEY (AGENT_RUNTIME_URL)')
    .action(lazily(() => import('./actions/search.ts')));
}

export function ingest(program: Command): void {
  withAdministration(program.command('ingest').description('take files into a vector store, where search finds them'))
    .addArgument(
      new Argument('<files...>', 'PDF, DOCX, TXT, MD, JSON (also NDJSON) or CSV files, or directories of them'),
    )
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
    .addHelpText('after', ingestHelp)
    .action(lazily(() => import('./actions/ingest.ts')));
}

function ingestHelp(): string {
  const { line } = currentInvocation();
  return `
Without --url it works on the data directory, beside a server or without one.
A directory is read with all below it; hidden files, and those without a known extension, are skipped.
The exit code is 1 when a file was not ingested, and 130 when you left before the end: the server goes on all the same.

  ${line('ingest')} handbook.pdf faq.md --store help
  ${line('ingest')} docs/ --store help
  ${line('ingest')} prices.csv --store prices --csv-content-columns name,text --csv-metadata-columns sku
  ${line('search')} "how long does a refund take" --store help
`;
}
