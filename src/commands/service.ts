import { type Command, InvalidArgumentError } from 'commander';
import { withAdministration } from './input/options.ts';
import type { InstallOptions, LogOptions, ScopeOptions } from './service/actions.ts';

const SYSTEM = ['--system', 'a service of the system instead of one of this user (the default for root)'] as const;
const JSON_OPTION = ['--json', 'print one JSON object, for scripts'] as const;

const actions = () => import('./service/actions.ts');

export function register(program: Command): void {
  const service = program.command('service').description('run `serve` as a service of this machine');
  withAdministration(service.command('install').description('install and start it, or replace it with other settings'))
    .option('--port <port>', 'TCP port (PORT, default 3000)')
    .option('--host <address>', 'address to listen on (HOST, default 127.0.0.1)')
    .option(...SYSTEM)
    .option('--print', 'only print the definition of the service')
    .action(async (options: InstallOptions) => (await actions()).installService(options));
  service
    .command('status')
    .description('whether it runs, since when and where; exit code 3 when it does not')
    .option(...SYSTEM)
    .option(...JSON_OPTION)
    .action(async (options: ScopeOptions) => (await actions()).showStatus(options));
  service
    .command('logs')
    .description('show what it logged')
    .option('-f, --follow', 'go on showing', false)
    .option('-n, --lines <number>', 'how many of the latest lines', lineCount, 100)
    .option(...SYSTEM)
    .action(async (options: LogOptions) => (await actions()).showLogs(options));
  service
    .command('uninstall')
    .description('stop and remove it; the data stay')
    .option(...SYSTEM)
    .option(...JSON_OPTION)
    .action(async (options: ScopeOptions) => (await actions()).uninstallService(options));
}

function lineCount(text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number from 1.');
}
