import type { Command } from 'commander';
import { DEFAULT_TENANT } from '../../core/access/auth/bootstrap.ts';

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

export function withDataDir(command: Command): Command {
  return command.option('--data-dir <directory>', 'data directory (AGENT_RUNTIME_DATA_DIR, default ./data)');
}

export function withAdministration(command: Command): Command {
  return withDataDir(command).option('--json', 'print one JSON object, for scripts');
}

export function withTenant(command: Command): Command {
  return withAdministration(command).option('--tenant <tenant>', 'name or id of the tenant', DEFAULT_TENANT);
}

export function withTenantOfUser(command: Command): Command {
  return withAdministration(command).option(
    '--tenant <tenant>',
    'name or id of the tenant, where several have the e-mail',
  );
}
