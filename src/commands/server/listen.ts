import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Config } from '../../config.ts';
import { clientNetwork, type IsTrustedProxy, trustedProxies } from '../../core/base/network/addresses.ts';
import { answerMalformed } from '../../http/body/malformed.ts';
import { type CertificateFiles, readCertificate } from '../../storage/installation/certificate.ts';

/** A connection may hold memory and a descriptor for a minute while it sends its headers. */
const MAX_CONNECTIONS_OF_ADDRESS = 512;
const REPORT_INTERVAL_MS = 60_000;

export interface ConnectionLimits {
  /** Not counted: a proxy has the connections of many clients. */
  isTrustedProxy: IsTrustedProxy;
  /** Called at most once a minute. */
  onRefused: (refused: { address: string; open: number }) => void;
}

/** Closes surplus connections of an address. For IPv6, of a /64 network. */
export function limitConnections(server: Server, { isTrustedProxy, onRefused }: ConnectionLimits): void {
  const openBy = new Map<string, number>();
  let reportedAt = Number.NEGATIVE_INFINITY;
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || isTrustedProxy(remoteAddress)) return;
    const address = clientNetwork(remoteAddress);
    const open = openBy.get(address) ?? 0;
    if (open >= MAX_CONNECTIONS_OF_ADDRESS) {
      socket.destroy();
      if (performance.now() - reportedAt < REPORT_INTERVAL_MS) return;
      reportedAt = performance.now();
      onRefused({ address, open });
      return;
    }
    openBy.set(address, open + 1);
    socket.once('close', () => {
      const left = (openBy.get(address) ?? 1) - 1;
      if (left > 0) openBy.set(address, left);
      else openBy.delete(address);
    });
  });
}

export interface ListenOptions {
  prepare?: (server: Server) => Promise<void>;
  onRefused?: ConnectionLimits['onRefused'];
}

/**
 * `closeAllConnections` leaves out handshakes: it must be no longer than the drain of a shutdown.
 */
const HANDSHAKE_TIMEOUT_MS = 10_000;

/**
 * HTTPS with a certificate. `prepare` runs once the address is known. Requests that arrive
 * meanwhile wait.
 */
export async function listen(
  listener: RequestListener,
  {
    host,
    port,
    trustedProxies: networks = [],
    ...files
  }: Pick<Config, 'host' | 'port'> & Partial<Pick<Config, 'trustedProxies'>> & CertificateFiles,
  { prepare = async () => undefined, onRefused = () => undefined }: ListenOptions = {},
): Promise<Server> {
  const waiting: Parameters<RequestListener>[] = [];
  let answer: RequestListener = (...exchange) => waiting.push(exchange);
  const respond: RequestListener = (...exchange) => answer(...exchange);
  const certificate = readCertificate(files);
  const server: Server = certificate
    ? createTlsServer({ cert: certificate.cert, key: certificate.key, handshakeTimeout: HANDSHAKE_TIMEOUT_MS }, respond)
    : createServer(respond);
  limitConnections(server, { isTrustedProxy: trustedProxies(networks), onRefused });
  answerMalformed(server, respond);
  // Longer than the idle timeout of proxies, which may be about to reuse the connection.
  server.keepAliveTimeout = 75_000;
  // Uploads have no time limit. http/deadline.ts limits other bodies.
  server.requestTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
  try {
    await prepare(server);
  } catch (error) {
    server.close();
    server.closeAllConnections();
    throw error;
  }
  answer = listener;
  for (const exchange of waiting) listener(...exchange);
  return server;
}

export function urlOf(server: Server, config: Config): string {
  if (config.publicUrl !== undefined) return config.publicUrl.replace(/\/$/, '');
  const { port } = server.address() as AddressInfo;
  const host = config.host === '0.0.0.0' || config.host === '::' ? '127.0.0.1' : config.host;
  const scheme = config.tlsCertificate === undefined ? 'http' : 'https';
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The first signal runs `stop`, a second one ends the process immediately. */
export function onStop(stop: () => Promise<void>): void {
  let stoppingSince = 0;
  const handle = (signal: NodeJS.Signals) => {
    // A wrapper passes Ctrl-C on: two signals within a second count as one.
    if (stoppingSince > 0 && Date.now() - stoppingSince < 1_000) return;
    if (stoppingSince > 0) process.exit(signal === 'SIGINT' ? 130 : 143);
    stoppingSince = Date.now();
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`error while stopping: ${error instanceof Error ? error.message : String(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', handle);
  process.on('SIGINT', handle);
}
