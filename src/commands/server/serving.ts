import type { Server } from 'node:http';
import type { Runtime } from '../../app/runtime.ts';
import type { Config } from '../../config.ts';
import type { Log } from '../../logging/log.ts';
import { closeServer } from '../../ownership/close-server.ts';
import type { OwnedServer, OwnerInfo } from '../../ownership/owner.ts';
import { Ownership } from '../../ownership/ownership.ts';
import { keepCertificate } from './certificate.ts';
import { type ListenOptions, listen, urlOf } from './listen.ts';

/** Longer than the previous owner needs to drain. */
const OWN_TIMEOUT_MS = 13_000;

export interface Serving {
  runtime: Runtime;
  url: string;
  /** Requests may finish for `drainMs`. */
  stop(drainMs: number): Promise<void>;
}

/** `prepare` runs before the first response. Throws when another process serves the directory. */
export async function serveDirectory(
  config: Config,
  log: Log,
  command: string,
  prepare: (runtime: Runtime, url: string) => Promise<void> = async () => undefined,
): Promise<Serving> {
  let owned: (OwnedServer & { runtime: Runtime }) | undefined;
  let server: Server | undefined;
  const ownership = new Ownership({
    dataDir: config.dataDir,
    yields: false,
    info: () => ({ command, pid: process.pid, url: server && urlOf(server, config) }),
    open: async () => {
      const { openServer } = await import('../../app/server.ts');
      const opened = await openServer(config, log);
      const options: ListenOptions = {
        prepare: (listening) => prepare(opened.runtime, urlOf(listening, config)),
        onRefused: (refused) => log.warn(refused, 'connections are refused: one address has too many open'),
      };
      server = await listen(opened.listener, config, options).catch(async (error: unknown) => {
        await opened.close();
        throw error;
      });
      keepCertificate(server, config, log);
      owned = opened;
      return opened;
    },
  });
  const owner = await ownership.own(OWN_TIMEOUT_MS).catch(async (error: unknown) => {
    // Otherwise it would go on answering, without its stores.
    server?.close();
    server?.closeAllConnections();
    await ownership.close();
    throw error;
  });
  if (owner || !owned || !server) {
    await ownership.close();
    throw new Error(refusalOf(config.dataDir, owner));
  }
  const listening = server;
  const { runtime } = owned;
  return {
    runtime,
    url: urlOf(listening, config),
    stop: async (drainMs) => {
      ownership.announceShutdown();
      await closeServer(listening, drainMs, owned);
      await ownership.close();
    },
  };
}

function refusalOf(dataDir: string, owner: OwnerInfo | null): string {
  if (!owner?.pid)
    return `Another process holds ${dataDir} and does not answer. Stop it, or choose another directory with --data-dir.`;
  const { command, pid, url } = owner;
  if (command === 'restore')
    return `${dataDir} is being restored from a backup (process ${pid}). Start again when that is done.`;
  const where = url ? ` at ${url}` : '';
  return `${dataDir} is served already${where} (process ${pid}). Use that one, stop it, or choose another directory with --data-dir.`;
}
