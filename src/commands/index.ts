import type { Command } from 'commander';
import { agentsCommand } from './agents.ts';
import { demoCommand } from './demo.ts';
import { doctorCommand } from './doctor.ts';
import { importCommand } from './import.ts';
import { keysCommand } from './keys.ts';
import { mcpCommand } from './mcp.ts';
import { serveCommand } from './serve.ts';
import { tenantsCommand } from './tenants.ts';

/** Every command, in the order of the help text. */
export function registerCommands(program: Command): void {
  for (const register of [
    serveCommand,
    mcpCommand,
    demoCommand,
    importCommand,
    keysCommand,
    tenantsCommand,
    agentsCommand,
    doctorCommand,
  ]) {
    register(program);
  }
}
