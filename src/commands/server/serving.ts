import type { Server } from 'node:http';
import { Server as TlsServer } from 'node:https';
import type { Runtime } from '../../app/runtime.ts';
import type { Config } from '../../config.ts';
import { PeriodicTask } from '../../core/base/concurrency/timers.ts';
import type { Log } from '../../logging/log.ts';
import { closeServer } from '../../ownership/close-server.ts';
import type { OwnedServer, OwnerInfo } from '../../ownership/owner.ts';
import { Ownership } from '../../ownership/ownership.ts';
import {
  type Certificate,
  type CertificateFiles,
  expiryWarning,
  readCertificate,
} from '../../storage/installation/certificate.ts';
import { type ListenOptions, listen, urlOf } from './listen.ts';

/** Reading both files is simpler than watching them, and sees links that change. */
const REREAD_INTERVAL_MS = 30_000;
const WARNING_INTERVAL_MS = 86_400_000;

/** Serves a renewed certificate without a restart: every 30 seconds, and on SIGHUP. */
export function keepCertificate(server: Server, files: CertificateFiles, log: Log): void {
  if (!(server instanceof TlsServer)) return;
  const reread = makeRereader(server, files, log, Date.now);
  reread();
  const rereading = new PeriodicTask({ everyMs: REREAD_INTERVAL_MS, run: reread });
  // On a terminal, SIGHUP says that it was closed.
  if (!process.stdin.isTTY) process.on('SIGHUP', reread);
  server.once('close', () => {
    void rereading.close();
    process.removeListener('SIGHUP', reread);
  });
}

/** A faulty file leaves the present certificate in use, and is logged once. */
export function makeRereader(
  server: Pick<TlsServer, 'setSecureContext'>,
  files: CertificateFiles,
  log: Log,
  now: () => number,
): () => void {
  let current: Certificate | null = null;
  let fault = '';
  let warnedAt = Number.NEGATIVE_INFINITY;
  return () => {
    try {
      const found = readCertificate(files)!;
      fault = '';
      if (found.cert !== current?.cert || found.key !== current.key) {
        server.setSecureContext({ cert: found.cert, key: found.key });
        current = found;
        warnedAt = Number.NEGATIVE_INFINITY;
        log.info({ names: found.names, validTo: found.validTo.toISOString() }, 'TLS certificate');
      }
    } catch (error) {
      const { message } = error as Error;
      if (message !== fault) log.error({ reason: message }, 'the TLS certificate in use stays: the files are faulty');
      fault = message;
    }
    const warning = current && expiryWarning(current, now());
    if (warning === null || now() - warnedAt < WARNING_INTERVAL_MS) return;
    warnedAt = now();
    log.warn(warning);
  };
}

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
    return `Another process holds ${dataDir} and does not answer. If it is still starting, wait; else stop it, or choose another directory with --data-dir.`;
  const { command, pid, url } = owner;
  if (command === 'restore')
    return `${dataDir} is being restored from a backup (process ${pid}). Start again when that is done.`;
  const where = url ? ` at ${url}` : '';
  return `${dataDir} is served already${where} (process ${pid}). Use that one, stop it, or choose another directory with --data-dir.`;
}
