import type { Command } from 'commander';
import { DEFAULT_TENANT } from '../../core/auth/bootstrap.ts';

export interface AdministrationOptions {
  dataDir?: string;
  json?: boolean;
}

export interface TenantOptions extends AdministrationOptions {
  tenant: string;
}

export interface OptionalTenantOptions extends AdministrationOptions {
  tenant?: string;
}

/** `--data-dir`, which every command takes. */
export function withDataDir(command: Command): Command {
  return command.option('--data-dir <directory>', 'data directory (AGENT_RUNTIME_DATA_DIR, default ./data)');
}

/** `--data-dir` and `--json`, which every administration command takes. */
export function withAdministration(command: Command): Command {
  return withDataDir(command).option('--json', 'print one JSON object, for scripts');
}

/** As `withAdministration`, and `--tenant` for a command about one tenant. */
export function withTenant(command: Command): Command {
  return withAdministration(command).option('--tenant <tenant>', 'name or id of the tenant', DEFAULT_TENANT);
}

/** As `withAdministration`, and `--tenant` for a user that is named by e-mail. */
export function withTenantOfUser(command: Command): Command {
  return withAdministration(command).option(
    '--tenant <tenant>',
    'name or id of the tenant, where several have the e-mail',
  );
}
