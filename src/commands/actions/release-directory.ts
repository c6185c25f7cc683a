import { openState } from '../../app/state.ts';
import { loadConfig } from '../../config.ts';
import { invalid, RuntimeError } from '../../core/base/shared/errors.ts';
import type { AdministrationOptions } from '../input/options.ts';
import { print } from '../presentation/output.ts';

export async function run(options: AdministrationOptions): Promise<void> {
  const config = loadConfig({ dataDir: options.dataDir }, { logLevel: 'warn' });
  if (config.databaseUrl === undefined || config.clickhouseUrl !== undefined) {
    throw invalid(
      'AGENT_RUNTIME_DATABASE_URL: must be set, without AGENT_RUNTIME_CLICKHOUSE_URL: no other form has its events in one directory',
    );
  }
  const state = await openState(config);
  try {
    if (!(await state.installation.release('files'))) {
      throw new RuntimeError(
        'conflict',
        'Nothing was released: no directory is recorded, or a server uses the database. Stop it first; one that was killed counts for a minute.',
      );
    }
  } finally {
    await state.close();
  }
  print(options, { released: true }, [
    'Released. The data directory of the next `serve` has the events and documents from now on.',
  ]);
}
