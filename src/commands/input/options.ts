import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { State } from '../../app/state.ts';
import { type Config, loadConfig } from '../../config.ts';
import { DEFAULT_TENANT } from '../../core/auth/bootstrap.ts';
import { STATE_FILE } from '../../storage/files/names.ts';

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

export type TenantOptions = AdministrationOptions & { tenant: string };

/** As `withAdministration`, for what belongs to one tenant. */
export function withTenant(command: Command): Command {
  return withAdministration(command).option('--tenant <tenant>', 'name or id of the tenant', DEFAULT_TENANT);
}

/** Opens the state for one administration command; works while `serve` runs. */
export async function administer<Result>(
  options: AdministrationOptions,
  work: (state: State, config: Config) => Promise<Result>,
): Promise<Result> {
  const config = loadConfig({ dataDir: options.dataDir });
  announceNew(config.dataDir);
  const { openState } = await import('../../app/state.ts');
  const state = await openState(config);
  try {
    return await work(state, config);
  } finally {
    await state.close();
  }
}

/** A workspace that is made by mistake, in a directory that is not the server's, should not go unnoticed. */
export function announceNew(dataDir: string): void {
  if (existsSync(join(dataDir, STATE_FILE))) return;
  process.stderr.write(
    `There was no Agent Runtime data in ${dataDir}: a new, empty workspace is made there (--data-dir names another).\n`,
  );
}

/** What definitions and credentials are read again by, while a server runs. */
export function usedSoon(dataDir: string): string {
  return `A server that runs on ${dataDir} uses this within a second.`;
}

/** One JSON object for scripts, or lines for people. */
export function print(options: { json?: boolean }, value: unknown, lines: string[]): void {
  process.stdout.write(options.json ? `${JSON.stringify(value)}\n` : `${lines.join('\n')}\n`);
}
