import { inspect } from 'node:util';
import { FatalError } from '../../core/shared/errors.ts';
import type { Log } from '../../logging/log.ts';
import { failRequest } from '../../logging/request-context.ts';

/**
 * The last resort for exceptions in timers, handlers of streams and messages of threads, each a
 * defect: it ends the request in which it came, whose client is told, and not the server of every
 * tenant.
 */
export function surviveExceptions(log: Log): void {
  process.on('uncaughtException', (error: unknown) => {
    if (error instanceof FatalError) {
      process.stderr.write(`${inspect(error)}\n`);
      process.exit(1);
    }
    log.error({ err: error }, 'an exception that nothing caught');
    failRequest(error);
  });
}
