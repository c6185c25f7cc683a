import type { Command } from 'commander';
import { lazily } from './actions/lazily.ts';
import { withAdministration } from './input/options.ts';

export function register(program: Command): void {
  withAdministration(
    program
      .command('release-directory')
      .description('with AGENT_RUNTIME_DATABASE_URL alone: let another data directory replace one that is lost'),
  )
    .addHelpText(
      'after',
      '\nThe next `serve` begins with the events and documents that its own data directory has. While a server uses the database nothing is released; one that was killed counts for a minute.',
    )
    .action(lazily(() => import('./actions/release-directory.ts')));
}
