import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Outside of the project: the engine has half a gigabyte, and no package for every platform. `npm run engines` installs it. */
export const CHDB = { chdb: '3.4.0' };

export function enginesDirectory(): string {
  return process.env.AGENT_RUNTIME_ENGINES ?? join(homedir(), '.cache', 'agent-runtime-engines');
}

/** The entry of ClickHouse as a library; null where it is not installed. */
export function chdbPath(): string | null {
  try {
    return createRequire(join(enginesDirectory(), 'package.json')).resolve('chdb');
  } catch {
    return null;
  }
}
