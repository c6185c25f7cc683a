import type { Command } from 'commander';
import { lazily } from './actions/lazily.ts';
import { withAdministration } from './input/options.ts';

export function register(program: Command): void {
  withAdministration(
    program.command('erase').description('remove a tenant, or one of its threads, for good; also while `serve` runs'),
  )
    .requiredOption('--tenant <tenant>', 'name or id of the tenant')
    .option('--thread <id>', 'only what belongs to this thread')
    .option('--yes', 'do not ask, for scripts')
    .addHelpText(
      'after',
      '\nWith --thread its events, executions and their reviews go. Without it, its vector stores, events, executions, reviews, dashboards, agents, users, keys and providers go, and the tenant itself.',
    )
    .action(lazily(() => import('./actions/erase.ts')));
}
