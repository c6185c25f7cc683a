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
    .option('--url <url>', 'send to this server, with AGENT_RUNTIME_API_KEY (AGENT_RUNTIME_URL)')
    .action(lazily(() => import('./actions/import.ts')));
}
