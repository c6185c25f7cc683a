import type { Server } from 'node:http';
import { Server as TlsServer } from 'node:https';
import { PeriodicTask } from '../../core/base/concurrency/timers.ts';
import type { Log } from '../../logging/log.ts';
import {
  type Certificate,
  type CertificateFiles,
  expiryWarning,
  readCertificate,
} from '../../storage/installation/certificate.ts';

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
