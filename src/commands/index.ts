import type { Command } from 'commander';
import { registerAgents } from './agents.ts';
import { registerDemo } from './demo.ts';
import { registerDoctor } from './doctor.ts';
import { registerImport } from './import.ts';
import { registerKeys } from './keys.ts';
import { registerMcp } from './mcp.ts';
import { registerServe } from './serve.ts';
import { registerTenants } from './tenants.ts';

/** Every command, in the order of the help text. */
export function registerCommands(program: Command): void {
  registerServe(program);
  registerMcp(program);
  registerDemo(program);
  registerImport(program);
  registerKeys(program);
  registerTenants(program);
  registerAgents(program);
  registerDoctor(program);
}
