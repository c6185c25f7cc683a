import type { Config } from '../config.ts';
import type { Log } from '../logging/log.ts';
import { Ownership } from '../ownership/ownership.ts';

/** Commands that write nothing into the directory. */
const COPYING = new Set(['backup', 'export']);

/** For commands: a starting `serve` takes over. Loads the server only when this process owns. */
export function joinDirectory(
  config: Config,
  log: Log,
  command: string,
  onError = (error: unknown) => log.error({ err: error }, 'the data directory could not be opened'),
): Ownership {
  return new Ownership({
    dataDir: config.dataDir,
    yields: true,
    info: () => ({ command, pid: process.pid }),
    open: async () => {
      const { openServer } = await import('./server.ts');
      return openServer(config, log, undefined, undefined, { isForCopy: COPYING.has(command) });
    },
    onError,
  });
}
