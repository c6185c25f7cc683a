import { Argument, type Command, Option } from 'commander';
import { lazily } from './actions/lazily.ts';
import { withTenant } from './input/options.ts';

export function register(program: Command): void {
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
