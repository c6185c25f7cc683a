import type { Command } from 'commander';
import { registerAgents } from './agents.ts';
import { registerAudit } from './audit.ts';
import { registerBackup } from './backup.ts';
import { registerConnectors } from './connectors.ts';
import { registerCredentials } from './credentials.ts';
import { registerDemo } from './demo.ts';
import { registerDoctor } from './doctor.ts';
import { registerErase } from './erase.ts';
import { registerImport } from './import.ts';
import { registerIngest } from './ingest.ts';
import { registerKeys } from './keys.ts';
import { registerMcp } from './mcp.ts';
import { registerProviders } from './providers.ts';
import { registerRestore } from './restore.ts';
import { registerSearch } from './search.ts';
import { registerSecrets } from './secrets.ts';
import { registerServe } from './serve.ts';
import { registerTenants } from './tenants.ts';
import { registerUsers } from './users.ts';

/** Every command, in the order of the help text. */
export function registerCommands(program: Command): void {
  registerServe(program);
  registerMcp(program);
  registerDemo(program);
  registerImport(program);
  registerIngest(program);
  registerSearch(program);
  registerKeys(program);
  registerTenants(program);
  registerAgents(program);
  registerUsers(program);
  registerProviders(program);
  registerConnectors(program);
  registerCredentials(program);
  registerSecrets(program);
  registerBackup(program);
  registerRestore(program);
  registerErase(program);
  registerAudit(program);
  registerDoctor(program);
}
