import type { Command } from 'commander';
import { lazily } from './actions/lazily.ts';

export function register(program: Command): void {
  program
    .command('demo')
    .description(
      'try it: a throw-away server with 90 days of a support desk, questions asked through a real MCP client',
    )
    .option('--port <port>', 'TCP port, 0 for a free one', '0')
    .option('--keep-serving', 'go on serving until Ctrl-C (default on a terminal)', process.stdout.isTTY === true)
    .action(lazily(() => import('./actions/demo.ts')));
}
