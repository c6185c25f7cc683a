import { statSync } from 'node:fs';
import { join } from 'node:path';
import { operate } from '../../app/operate.ts';
import { PeriodicTask } from '../../core/base/concurrency/timers.ts';
import { formatBytes } from '../../core/base/shared/text.ts';
import { COMPACTED_FILE, EVENTS_FILE } from '../../storage/installation/names.ts';
import type { AdministrationOptions } from '../input/options.ts';
import { print } from '../presentation/output.ts';
import { showProgress } from '../presentation/progress.ts';
import { loadInstalledConfig } from '../server/installed-config.ts';

const PROGRESS_MS = 500;

export async function run(options: AdministrationOptions): Promise<void> {
  const config = loadInstalledConfig(options);
  const bytes = (name: string) => statSync(join(config.dataDir, name), { throwIfNoEntry: false })?.size ?? 0;
  const bar = await showProgress(options.json ? 0 : bytes(EVENTS_FILE));
  const shown = new PeriodicTask({ everyMs: PROGRESS_MS, run: async () => bar.update(bytes(COMPACTED_FILE)) });
  const { before, after } = await operate(config, { command: 'compact', name: 'compact-events', input: {} }).finally(
    async () => {
      await shown.close();
      bar.finish();
    },
  );
  print(options, { file: EVENTS_FILE, before, after }, [
    `${EVENTS_FILE} had ${formatBytes(before)}, and has ${formatBytes(after)} now.`,
  ]);
}
