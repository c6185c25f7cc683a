import type { Command } from 'commander';
import { lazily } from '../actions/lazily.ts';
import { withAdministration } from '../input/options.ts';

export function register(program: Command): void {
  withAdministration(
    program
      .command('compact')
      .description('give the free space in the file of events back to the disk, also while `serve` runs'),
  )
    .addHelpText(
      'after',
      '\nFree space is reused by later events; this is for a disk that needs it now, after a large erasure for example. It takes the room of two copies of events.duckdb while it runs. Events can be sent and asked for meanwhile.',
    )
    .action(lazily(() => import('../actions/compact.ts')));
}
