import type { Server } from 'node:http';
import type { Command } from 'commander';
import { loadConfig } from '../config.ts';
import { firstRun } from '../core/auth/bootstrap.ts';
import { realEffects } from '../core/effects.ts';
import { createLog } from '../log.ts';
import { closeServer, type OwnerInfo, Ownership } from '../ownership/ownership.ts';
import type { Runtime } from '../runtime.ts';
import { greet } from './greeting.ts';
import { listen, onStop, urlOf } from './listen.ts';
import { withDataDir } from './options.ts';

/** Longer than a predecessor needs to drain. */
const OWN_TIMEOUT_MS = 13_000;
const DRAIN_MS = 10_000;

export function registerServe(program: Command): void {
  withDataDir(program.command('serve').description('serve REST, MCP (/mcp) and /docs on one port'))
    .option('--port <port>', 'TCP port, 0 for a free one (PORT, default 3000)')
    .option('--host <address>', 'address to listen on (HOST, default 127.0.0.1)')
    .option('--log-level <level>', 'trace, debug, info, warn, error or silent')
    .action(serve);
}

function refusalOf(dataDir: string, owner: OwnerInfo | null): string {
  if (!owner?.pid)
    return `Another process holds ${dataDir} and does not answer. Stop it, or choose another directory with --data-dir.`;
  const where = owner.url ? ` at ${owner.url}` : '';
  return `${dataDir} is served already${where} (process ${owner.pid}). Use that one, stop it, or choose another directory with --data-dir.`;
}

async function serve(flags: { port?: string; host?: string; dataDir?: string; logLevel?: string }): Promise<void> {
  const config = loadConfig(flags);
  const log = createLog(config.logLevel);
  let runtime: Runtime | undefined;
  let server: Server | undefined;
  const ownership = new Ownership({
    dataDir: config.dataDir,
    yields: false,
    info: () => ({ command: 'serve', pid: process.pid, url: server && urlOf(server, config) }),
    open: async () => {
      const { openHousehold } = await import('../household.ts');
      const household = await openHousehold(config, log);
      runtime = household.runtime;
      server = await listen(household.listener, config).catch(async (error: unknown) => {
        await household.close();
        throw error;
      });
      return household;
    },
  });
  const owner = await ownership.own(OWN_TIMEOUT_MS);
  if (owner || !runtime || !server) {
    await ownership.close();
    throw new Error(refusalOf(config.dataDir, owner));
  }
  const listening = server;
  onStop(async () => {
    log.info('draining');
    ownership.announceStop();
    await closeServer(listening, DRAIN_MS);
    await ownership.close();
    log.info('stopped');
  });
  const url = urlOf(listening, config);
  await firstRun(runtime.auth, runtime, realEffects, (made) => greet(made, { url, dataDir: config.dataDir }));
  log.info({ url, dataDir: config.dataDir, pid: process.pid }, 'ready');
  process.stdout.write(`Agent Runtime is ready at ${url} (MCP at ${url}/mcp, documentation at ${url}/docs)\n`);
}
