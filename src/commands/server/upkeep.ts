import { inspect } from 'node:util';
import { FatalError } from '../../core/base/shared/errors.ts';
import type { Log } from '../../logging/log.ts';
import { failRequest } from '../../logging/request-context.ts';

/**
 * The last resort for exceptions in timers, stream handlers and thread messages, each of which is a
 * defect. The exception ends the request in which it occurred, whose client gets an error; the
 * server goes on for all other requests.
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
