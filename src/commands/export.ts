import { Argument, type Command } from 'commander';
import { lazily } from './actions/lazily.ts';
import { withAdministration } from './input/options.ts';

export function register(program: Command): void {
  withAdministration(
    program
      .command('export')
      .description('copy everything into a new data directory, from files or databases; safe to run again'),
  )
    .addArgument(new Argument('<directory>', 'data directory to make or to go on with; it holds secrets'))
    .addHelpText('after', '\nServers go on meanwhile. Stop writers, and run it again, to take the last changes over.')
    .action(lazily(() => import('./actions/export.ts')));
}
