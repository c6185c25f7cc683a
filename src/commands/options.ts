import type { Command } from 'commander';
import { type Config, loadConfig } from '../config.ts';
import { openState, type State } from '../runtime.ts';

/** `--data-dir`, which every command takes. */
export function withDataDir(command: Command): Command {
  return command.option('--data-dir <directory>', 'data directory (AGENT_RUNTIME_DATA_DIR, default ./data)');
}

/** `--data-dir` and `--json`, as every administration command takes them. */
export function withAdministration(command: Command): Command {
  return withDataDir(command).option('--json', 'print one JSON object, for scripts');
}

export interface AdministrationOptions {
  dataDir?: string;
  json?: boolean;
}

/** Opens the state for one administration command; works while `serve` runs. */
export async function administer<Result>(
  options: AdministrationOptions,
  work: (state: State, config: Config) => Promise<Result>,
): Promise<Result> {
  const config = loadConfig({ dataDir: options.dataDir });
  const state = await openState(config);
  try {
    return await work(state, config);
  } finally {
    await state.close();
  }
}

/** One JSON object for scripts, or lines for people. */
export function print(options: { json?: boolean }, value: unknown, lines: string[]): void {
  process.stdout.write(options.json ? `${JSON.stringify(value)}\n` : `${lines.join('\n')}\n`);
}
